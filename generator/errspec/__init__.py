"""errspec: one YAML catalogue of error codes in, error modules and docs out."""

__version__ = "0.1.0"
