"""The two phases of distillation, a client of jmem like any other."""
