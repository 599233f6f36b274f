"""What a careful engineer writes instead of generating it: the measure of what is generated."""
