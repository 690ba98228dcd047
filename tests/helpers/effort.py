"""How hard the battery tries: before a release at every place, in .ci/run at some of each kind."""

import os

# The profiles of conftest.py: `many` and `dev` try everything, `some` and `fast` do not.
IS_THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") in ("many", "dev")
