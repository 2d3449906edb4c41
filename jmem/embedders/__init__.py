"""Text as vectors: providers behind one interface, each from weights that are installed apart."""
