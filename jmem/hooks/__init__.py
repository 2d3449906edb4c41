"""What an agent's hooks call: memory at the start of a session, at prompts and before acts.

One core (:mod:`jmem.hooks.core`), and a table for each client (:mod:`jmem.hooks.clients`). All of
it is light: a hook is a process of its own, and the agent waits for it.
"""
