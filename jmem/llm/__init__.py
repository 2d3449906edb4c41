"""Language models: what is asked, what comes back, and who answers.

``model`` is what the rest of jmem knows; ``providers`` opens one from the settings. Nothing here
is imported, and no client with it, before a model is really used.
"""
