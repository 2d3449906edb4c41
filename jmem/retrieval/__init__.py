"""Finding memories by their words. Pure: no file, no clock, no network."""
