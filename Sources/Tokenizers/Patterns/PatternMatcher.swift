/// Runs a program over a text by backtracking, with an explicit stack and a budget of steps.
struct PatternMatcher {
    private struct Choice {
        var instruction: Int
        var position: Int
        /// Of a run: how far it may give back; -1 of anything else.
        var floor: Int
    }

    private let program: PatternProgram
    private let text: UTF8Pointer
    private let end: Int
    private var stack: [Choice] = []
    /// Steps that are left; a pattern made to take for ever ends when there are none.
    private(set) var budget: Int

    init(_ program: PatternProgram, _ text: UTF8Pointer, _ end: Int) {
        self.program = program
        self.text = text
        self.end = end
        budget = 4_000_000 + min(end, 1 << 40) * 256
    }

    /// Returns the end of the match that starts at `start`; `nil` if there is none.
    mutating func match(at start: Int) -> Int? {
        stack.removeAll(keepingCapacity: true)
        return run(0, start)
    }

    private mutating func run(_ first: Int, _ start: Int) -> Int? {
        let base = stack.count
        var instruction = first
        var position = start
        while true {
            budget -= 1
            if budget < 0 || stack.count > 1 << 22 {
                budget = -1
                stack.removeAll()
                return nil
            }
            var failed = false
            switch program.code[instruction] {
            case .set(let set):
                if let next = step(set, position) {
                    position = next
                    instruction += 1
                } else {
                    failed = true
                }
            case .run(let set, let least, let most, let isPossessive):
                var count = 0
                var floor = position
                while count < most, let next = step(set, position) {
                    position = next
                    count += 1
                    if count == least { floor = position }
                }
                budget -= count / 4
                if count < least {
                    failed = true
                } else {
                    instruction += 1
                    if !isPossessive, position > floor {
                        stack.append(Choice(instruction: instruction, position: position, floor: floor))
                    }
                }
            case .split(let preferred, let other):
                stack.append(Choice(instruction: other, position: position, floor: -1))
                instruction = preferred
            case .jump(let target): instruction = target
            case .anchor(let anchor):
                if holds(anchor, position) { instruction += 1 } else { failed = true }
            case .atomic(let next):
                if let stop = run(instruction + 1, position) {
                    position = stop
                    instruction = next
                } else {
                    failed = true
                }
            case .lookAhead(let next, let isNegative):
                if (run(instruction + 1, position) != nil) != isNegative { instruction = next } else { failed = true }
            case .lookBehind(let set, let isNegative):
                let length = position > 0 ? lengthOfScalar(before: position, in: text, start: 0) : 0
                let matches = length > 0 && step(set, position - length) == position
                if matches != isNegative { instruction += 1 } else { failed = true }
            case .accept:
                stack.removeLast(stack.count - min(base, stack.count))
                return position
            }
            if failed {
                guard stack.count > base, let choice = stack.last else { return nil }
                instruction = choice.instruction
                if choice.floor < 0 {
                    position = choice.position
                    stack.removeLast()
                } else {
                    position = choice.position - lengthOfScalar(before: choice.position, in: text, start: 0)
                    if position > choice.floor {
                        stack[stack.count - 1].position = position
                    } else {
                        stack.removeLast()
                    }
                }
            }
        }
    }

    @inline(__always)
    private func step(_ set: Int, _ position: Int) -> Int? {
        guard position < end else { return nil }
        let (value, length) = scalar(text, at: position, end: end)
        return program.sets[set].contains(value) ? position + length : nil
    }

    private func holds(_ anchor: PatternNode.Anchor, _ position: Int) -> Bool {
        switch anchor {
        case .textStart: position == 0
        case .textEnd: position == end
        case .lineStart: position == 0 || text[position - 1] == 10
        case .lineEnd: position == end || text[position] == 10
        case .wordBoundary: isWord(before: position) != isWord(at: position)
        case .noWordBoundary: isWord(before: position) == isWord(at: position)
        }
    }

    private func isWord(at position: Int) -> Bool {
        guard position < end else { return false }
        return ScalarTable.shared.entry(scalar(text, at: position, end: end).value) & ScalarTable.wordBit != 0
    }

    private func isWord(before position: Int) -> Bool {
        position > 0 && isWord(at: position - lengthOfScalar(before: position, in: text, start: 0))
    }
}
