"""Tells pyrimaa.rs whether pyrimaa agrees with it: a line for a question, a line for the answer.

    steps SIDE LEFT BOARD START END STEP=BOARD...    the steps of a position, and what they lead to
    turns SIDE BOARD BOARD...                        the boards that the turns of a position lead to

SIDE is g or s, LEFT the steps left, START the board that the turn began with, END `none` or the
winner and the reason, such as `g-goal`. A BOARD is twelve bitboards in hexadecimal with points
between them, a1 being the lowest bit: Gold's rabbits to elephant, then Silver's. A STEP is one
move of a piece, such as d2d3, or two with a comma.

The answer is `ok` and how many steps or turns were compared, or what differs.
"""

import sys
from collections import Counter

from pyrimaa.board import ALL_BITS, Position, bit_to_index, index_to_alg, neighbors_of

SQUARES = [index_to_alg(index) for index in range(64)]
BOARD_FORMAT = ".".join(["%x"] * 12)


def read_position(side, left, board):
    words = [int(word, 16) for word in board.split(".")]
    empty = ALL_BITS & ~sum(words)
    return Position("gs".index(side), left, [empty, *words[:6], None, None, *words[6:]])


def write_board(position):
    boards = position.bitBoards
    return BOARD_FORMAT % (boards[1:7] + boards[9:15])


def bits(bitboard):
    while bitboard:
        bit = bitboard & -bitboard
        bitboard ^= bit
        yield bit_to_index(bit)


def compound_steps(position):
    """The single steps, pushes and pulls: the moves of each, and the position after it.

    pyrimaa knows the moves of single pieces alone, and remembers in the position what may or must
    follow. As `position` has no such memory, an enemy piece that moves first is pushed.
    """
    color = position.color
    for first, between in position.get_steps():
        if between.inpush:
            for second, after in between.get_steps():
                yield (first, second), after
            continue
        yield (first,), between
        if between.color != color:
            continue
        vacated = first[0]
        for victim in bits(neighbors_of(1 << vacated) & between.placement[color ^ 1]):
            second = (victim, vacated)
            if between.check_step(second):
                after = between.do_step(second)
                # Otherwise a push begins, after a single step.
                if not after.inpush:
                    yield (first, second), after


def legal_steps(position, start):
    for moves, after in compound_steps(position):
        board = write_board(after)
        # pyrimaa looks at whole turns to see that they change the board.
        if after.color == position.color or board != start:
            yield ",".join(SQUARES[a] + SQUARES[b] for a, b in moves) + "=" + board


def end(position):
    """How the game has ended, which is looked at between turns."""
    winner = position.is_end_state() if position.stepsLeft == 4 else False
    if not winner:
        return "none"
    if position.is_goal():
        reason = "goal"
    elif position.is_rabbit_loss():
        reason = "elimination"
    else:
        reason = "immobilisation"
    return f"{'g' if winner == 1 else 's'}-{reason}"


def readable(item):
    moves, _, board = item.rpartition("=")
    return f"{moves} {read_position('g', 4, board).board_to_str('short')}".strip()


def compare(ours, theirs):
    """Compares lists whose order does not matter, but in which nothing may stand twice."""
    ours, theirs = Counter(ours), Counter(theirs)
    if ours == theirs:
        return f"ok {theirs.total()}"
    return " and ".join(
        f"{name} alone has {excess.total()}: " + ", ".join(map(readable, list(excess)[:5]))
        for name, excess in (("pyrimaa", theirs - ours), ("the crate", ours - theirs))
        if excess
    )


def judge_steps(side, left, board, start, our_end, *ours):
    position = read_position(side, int(left), board)
    their_end = end(position)
    if our_end != their_end:
        return f"the end is {their_end} for pyrimaa and {our_end} for the crate"
    return compare(ours, legal_steps(position, start))


def judge_turns(side, board, *ours):
    moves = read_position(side, 4, board).get_moves()
    return compare(ours, map(write_board, moves))


JUDGES = {"steps": judge_steps, "turns": judge_turns}

for line in sys.stdin:
    kind, *words = line.split()
    print(JUDGES[kind](*words), flush=True)
