/// A regular expression as steps of a machine that goes back, and counts its steps: how long a search takes is bounded
/// whatever the expression and the text are, and whether it is cut short does not depend on the machine or its load.
struct ExpressionProgram {
    enum Step {
        case take(ExpressionSet)
        /// The same as `take` for one code point, which most steps are.
        case scalar(UInt32)
        /// Goes on at the first place, later at the second.
        case split(Int, Int)
        case jump(Int)
        /// Keeps where it is: ends of groups, starts of rounds.
        case save(Int)
        /// Leaves a repetition whose round took nothing.
        case leave(slot: Int, to: Int)
        case position(ExpressionPosition)
        case reference(Int, ignoresCase: Bool)
        /// What stands behind it up to an `accept` is tried on its own; goes on at `next`.
        case look(isAhead: Bool, isNegated: Bool, width: Int, next: Int)
        case atomic(next: Int)
        case accept
    }

    private static let mostSteps = 50_000
    private(set) var steps: [Step] = []
    let groups: Int
    /// Two for each group and the whole, then one for each repetition.
    private(set) var slots: Int

    /// Creates a program; `nil` if the expression is invalid, or too long when expanded.
    init?(_ source: String, ignoresCase: Bool) {
        var parser = ExpressionParser(source, ignoresCase: ignoresCase)
        guard let node = try? parser.parse() else { return nil }
        groups = parser.groups
        slots = 2 * (parser.groups + 1)
        guard add(node) else { return nil }
        steps.append(.accept)
    }

    /// - Returns: `false` if the program is too long.
    private mutating func add(_ node: ExpressionNode) -> Bool {
        guard steps.count < Self.mostSteps else { return false }
        switch node {
        case .empty: break
        case .scalar(let set):
            if !set.ignoresCase, !set.isNegated, set.classes.isEmpty, set.ranges.count == 1,
                set.ranges[0].lowerBound == set.ranges[0].upperBound
            {
                steps.append(.scalar(set.ranges[0].lowerBound))
            } else {
                steps.append(.take(set))
            }
        case .sequence(let nodes): for node in nodes { guard add(node) else { return false } }
        case .choice(let nodes):
            var ends: [Int] = []
            for (index, node) in nodes.enumerated() {
                guard index + 1 < nodes.count else {
                    guard add(node) else { return false }
                    continue
                }
                let split = hole()
                guard add(node) else { return false }
                ends.append(hole())
                steps[split] = .split(split + 1, steps.count)
            }
            for end in ends { steps[end] = .jump(steps.count) }
        case .group(let node, let number):
            if let number { steps.append(.save(2 * number)) }
            guard add(node) else { return false }
            if let number { steps.append(.save(2 * number + 1)) }
        case .repetition(let node, let least, let most, let isLazy):
            return add(repeated: node, least, most, isLazy)
        case .atomic(let node):
            let start = hole()
            guard add(node) else { return false }
            steps.append(.accept)
            steps[start] = .atomic(next: steps.count)
        case .position(let position): steps.append(.position(position))
        case .reference(let number, let ignoresCase): steps.append(.reference(number, ignoresCase: ignoresCase))
        case .look(let node, let isAhead, let isNegated):
            guard let width = isAhead ? 0 : node.width else { return false }
            let start = hole()
            guard add(node) else { return false }
            steps.append(.accept)
            steps[start] = .look(isAhead: isAhead, isNegated: isNegated, width: width, next: steps.count)
        }
        return steps.count < Self.mostSteps
    }

    private mutating func add(repeated node: ExpressionNode, _ least: Int, _ most: Int?, _ isLazy: Bool) -> Bool {
        for _ in 0..<least { guard add(node) else { return false } }
        func split(_ body: Int, _ end: Int) -> Step { isLazy ? .split(end, body) : .split(body, end) }
        if let most {
            var starts: [Int] = []
            for _ in least..<max(least, most) {
                starts.append(hole())
                guard add(node) else { return false }
            }
            for start in starts { steps[start] = split(start + 1, steps.count) }
            return true
        }
        let start = hole()
        let slot = slots
        slots += 1
        steps.append(.save(slot))
        guard add(node) else { return false }
        let check = hole()
        steps.append(.jump(start))
        steps[check] = .leave(slot: slot, to: steps.count)
        steps[start] = split(start + 1, steps.count)
        return true
    }

    private mutating func hole() -> Int {
        steps.append(.accept)
        return steps.count - 1
    }
}
