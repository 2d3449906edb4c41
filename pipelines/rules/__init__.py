"""Deciding without a model: what two statements are to each other, told by their values."""
