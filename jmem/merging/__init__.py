"""What two machines made of one scope, as one: field by field, by rules. Pure.

Each function takes what both had in common (``base``, None where nothing is known of that), what is
here and what is there. Who changed a value since ``base`` is right; where both did, an order that
does not depend on the machine decides, so that every machine comes to the same.
"""
