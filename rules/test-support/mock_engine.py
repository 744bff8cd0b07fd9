#!/usr/bin/env python3
"""An engine that misbehaves on purpose.

    mock_engine.py MODE [--at N] [--mark TEXT] [-- REAL COMMAND ...]

It passes everything on to the real engine and back until the N-th `go` (the second one by default;
`go ponder` does not count), then does its mischief. Without a real engine it plays itself: a setup and
a handful of turns that are legal while the opponent leaves them alone. The mark is for those who look for it
in a list of processes.
"""

import argparse
import os
import signal
import subprocess
import sys
import threading
import time

AT_START = {
    "dies": "exits with 7 before its greeting, and says why on its standard error",
    "mute": "never greets",
    "stranger": "greets in another protocol",
    "unready": "greets, but is never ready",
    "stubborn": "ignores quit, the end of its input, and SIGTERM",
    "family": "has a child of its own, which ignores everything",
}
AT_GO = {
    "none": "plays on",
    "crash": "exits with 3 in the middle of a line",
    "signal": "is killed by SIGKILL",
    "closes": "closes its output, and lives on",
    "hang": "does nothing any more, not even reading",
    "late": "keeps its answer back until stop",
    "illegal": "moves a rabbit backwards off the board",
    "empty": "answers without a move",
    "nonsense": "answers bestmove with what is no move, and an escape code",
    "resign": "gives up",
    "mumble": "writes a few lines of garbage, and no answer",
    "garbage": "writes a thousand lines of garbage, and no answer",
    "bytes": "writes a line that is not UTF-8, then plays on",
    "flood": "writes info lines for ever",
    "endless": "writes a line without an end",
}

SETUPS = [
    "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2",
    "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 md7 ee7 cf7 dg7 hh7",
]
TURNS = [
    ["Ee2n", "Ee3n", "Md2n", "Md3n", "Ha2n", "Hh2n", "Ha3n", "Hh3n"],
    ["ee7s", "ee6s", "md7s", "md6s", "ha7s", "hh7s", "ha6s", "hh6s"],
]


def say(line):
    print(line, flush=True)


def sleep_for_ever():
    while True:
        time.sleep(1000)


class Itself:
    """Plays without a real engine."""

    def __init__(self):
        self.played = 0
        self.held_back = False

    def tell(self, line):
        word = line.split(" ")[0]
        if word == "aei":
            say("protocol-version 1\nid name Mock\nid author Tusk\nid version 1\naeiok")
        elif word == "isready":
            say("readyok")
        elif word == "newgame":
            self.played = 0
        elif word == "makemove":
            self.played += 1
        elif line == "go" and not self.held_back:
            self.answer()

    def let_go(self):
        self.held_back = False
        self.answer()

    def answer(self):
        side, turn = self.played % 2, self.played // 2
        turns = TURNS[side]
        say("info depth 4\ninfo score 12\ninfo nodes 100\ninfo pv Ee2n")
        say("bestmove " + (SETUPS[side] if turn == 0 else turns[(turn - 1) % len(turns)]))


class Real:
    """Passes lines on to a real engine, and its lines back."""

    def __init__(self, command):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen(command, text=True, **pipes)
        self.held_back = False
        self.let_go_on = threading.Event()
        threading.Thread(target=self.pass_back, daemon=True).start()

    def pass_back(self):
        for line in self.process.stdout:
            if line.startswith("bestmove") and self.held_back:
                self.let_go_on.wait()
            say(line.rstrip("\n"))

    def let_go(self):
        self.held_back = False
        self.let_go_on.set()

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()


def misbehave(mode, engine):
    """Returns whether the engine is asked all the same."""
    if mode == "crash":
        sys.stderr.write("what a pity\n")
        sys.stdout.write("info sc")
        sys.stdout.flush()
        os._exit(3)
    elif mode == "signal":
        os.kill(os.getpid(), signal.SIGKILL)
    elif mode == "closes":
        os.close(1)
        sleep_for_ever()
    elif mode == "hang":
        sleep_for_ever()
    elif mode == "late":
        engine.held_back = True
    elif mode in ("illegal", "empty", "nonsense", "resign"):
        turns = {"illegal": " Ra1s", "empty": "", "nonsense": " \x1b[2JGARBAGE", "resign": " resign"}
        say("bestmove" + turns[mode])
        return False
    elif mode in ("mumble", "garbage"):
        for number in range(3 if mode == "mumble" else 1000):
            say(f"uci? {number}")
        return False
    elif mode == "bytes":
        sys.stdout.buffer.write(b"log \xff\xfe\n\xe9\n")
        sys.stdout.buffer.flush()
    elif mode == "flood":
        while True:
            say("info nodes 1\n" * 999 + "info nodes 1")
    elif mode == "endless":
        while True:
            sys.stdout.write("x" * 1000)
            sys.stdout.flush()
    return True


def greet_badly(mode, mark):
    if mode == "dies":
        sys.stderr.write("no weights found\n")
        sys.exit(7)
    elif mode == "mute":
        sleep_for_ever()
    elif mode == "stranger":
        say("id name Stockfish\nuciok")
        sleep_for_ever()
    elif mode == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    elif mode == "family":
        code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(1000)"
        subprocess.Popen([sys.executable, "-c", code, mark])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("mode", choices=[*AT_START, *AT_GO])
    parser.add_argument("--at", type=int, default=2)
    parser.add_argument("--mark", default="")
    own, real = sys.argv[1:], []
    if "--" in own:
        own, real = own[: own.index("--")], own[own.index("--") + 1 :]
    options = parser.parse_args(own)
    greet_badly(options.mode, options.mark)
    engine = Real(real) if real else Itself()
    asked = 0
    for line in map(str.strip, sys.stdin):
        if (line, options.mode) in [("quit", "stubborn"), ("isready", "unready")]:
            continue
        if line == "stop" and engine.held_back:
            engine.let_go()
            continue
        if line == "go":
            asked += 1
            if asked == options.at and not misbehave(options.mode, engine):
                continue
        engine.tell(line)
        if line == "quit":
            break
    if options.mode == "stubborn":
        sleep_for_ever()


if __name__ == "__main__":
    main()
