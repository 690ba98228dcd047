"""Display: how a value of ours looks at a Python prompt and in a notebook.

Any room may call it; it knows words and tables of text, and none of the values.
"""
