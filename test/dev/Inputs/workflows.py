"""workflows.py ROOT: what can be checked of .github/workflows without GitHub.

The files are YAML; jobs, steps, artifacts and references to the matrix are those that GitHub takes; scripts and
folders of ours that a run block names are there; `bash -n` takes each run block, and shellcheck where it is
installed. Prints what it found.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import re
import shutil
import subprocess
import sys

import yaml

JOB_KEYS = {"name", "needs", "if", "runs-on", "container", "strategy", "steps", "timeout-minutes", "env",
            "defaults", "permissions"}
STEP_KEYS = {"name", "id", "if", "uses", "with", "run", "env", "shell", "working-directory", "continue-on-error"}
# What a run block may call that is ours.
OURS = re.compile(r"(?<![\w./-])(?:\./dev|\.ci/\w+|(?:test|scripts)/[\w/.-]+)")


def check(fine, what):
    if not fine:
        sys.exit(f"workflows: {what}")


def check_script(text, where):
    """The block as bash would read it, with a word in place of each expression."""
    text = re.sub(r"\$\{\{.*?\}\}", "0", text)
    commands = [["bash", "-n"]]
    if shutil.which("shellcheck"):
        commands.append(["shellcheck", "--shell=bash", "-"])
    for command in commands:
        ended = subprocess.run(command, input=text, capture_output=True, text=True)
        check(ended.returncode == 0, f"{where}: {command[0]}: {ended.stdout}{ended.stderr}")


def check_job(root, name, job, jobs, shell):
    where = f"job {name}"
    check(not set(job) - JOB_KEYS, f"{where}: unknown keys {set(job) - JOB_KEYS}")
    check(job.get("runs-on") and job.get("steps"), f"{where}: no machine or no steps")
    check(isinstance(job.get("timeout-minutes"), int), f"{where}: no limit of time")
    needs = job.get("needs", [])
    check(set([needs] if isinstance(needs, str) else needs) <= set(jobs), f"{where}: needs {needs}")
    check("container" not in job or shell == "bash", f"{where}: a container's shell is sh, unless bash is asked for")
    matrix = job.get("strategy", {}).get("matrix", {})
    used = set(re.findall(r"\bmatrix\.([\w-]+)", str(job)))
    check(used == set(matrix), f"{where}: the matrix has {set(matrix)}, steps use {used}")
    scripts = 0
    for number, step in enumerate(job["steps"], 1):
        at = f"{where}, step {number}"
        check(not set(step) - STEP_KEYS, f"{at}: unknown keys {set(step) - STEP_KEYS}")
        check(("uses" in step) != ("run" in step), f"{at}: either uses or run")
        check(re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step.get("uses", "a/b@v1")), f"{at}: {step.get('uses')}")
        if "run" in step:
            check_script(step["run"], at)
            scripts += 1
            for path in OURS.findall(step["run"]):
                check((root / path).exists(), f"{at}: there is no {path}")
    return scripts


def main():
    root = pathlib.Path(sys.argv[1])
    files = sorted((root / ".github" / "workflows").glob("*.yml"))
    check(files, "there are none")
    for path in files:
        workflow = yaml.safe_load(path.read_text())
        # YAML 1.1 reads `on` as a truth value.
        check({"name", "jobs", True} <= set(workflow), f"{path.name}: name, on or jobs is missing")
        jobs = workflow["jobs"]
        shell = workflow.get("defaults", {}).get("run", {}).get("shell")
        scripts = sum(check_job(root, name, job, jobs, shell) for name, job in jobs.items())
        artifacts = [step["with"]["name"] for job in jobs.values() for step in job["steps"]
                     if step.get("uses", "").startswith("actions/upload-artifact@")]
        check(len(set(artifacts)) == len(artifacts), f"{path.name}: artifacts {artifacts}")
        print(f"{path.name}: jobs {' '.join(jobs)}; {scripts} scripts; artifacts {' '.join(map(str, artifacts))}")


main()
