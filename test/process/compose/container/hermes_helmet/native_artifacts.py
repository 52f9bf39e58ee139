"""Plays the native store: the example adapter, which has the same contract, with the identity as actor."""

import os
import runpy
import sys
import time
from pathlib import Path

mode = os.environ["STAND_IN_STORE_MODE"]
if mode == "hang":
    Path(os.environ["STAND_IN_RECORDS"], "hanging").touch()
    time.sleep(600)
if mode == "lose" and sys.argv[1] == "artifact-download":
    sys.exit(3)
os.environ["ARTIFACT_ACTOR"] = os.environ["HERMES_PROFILE_NAME"]
program = os.environ["STAND_IN_STORE_PROGRAM"]
sys.argv[0] = program
runpy.run_path(program, run_name="__main__")
