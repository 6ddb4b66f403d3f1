"""`python -m telexist` is the `telexist` command."""

import sys

from telexist.launch_scripts.telexist import main

sys.exit(main())
