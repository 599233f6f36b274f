"""How fast errspec and what it generates are; `python -m bench`, or `make bench`."""
