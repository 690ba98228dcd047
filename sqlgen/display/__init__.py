"""Display: how plans, audits and releases look at a Python prompt and in a notebook.

Any room may call it. It gets texts and tables of text, and imports no class that it displays.
"""
