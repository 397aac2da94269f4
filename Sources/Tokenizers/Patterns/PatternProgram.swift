/// A pattern as instructions for a backtracking matcher.
struct PatternProgram: Sendable {
    enum Instruction: Sendable {
        case set(Int)
        /// A run of one set: the commonest loop, without an instruction for each character.
        case run(set: Int, least: Int, most: Int, isPossessive: Bool)
        /// Goes on at the first; comes back to the second.
        case split(Int, Int)
        case jump(Int)
        case anchor(PatternNode.Anchor)
        /// The body follows and ends with `accept`; matching goes on at `next`.
        case atomic(next: Int)
        case lookAhead(next: Int, isNegative: Bool)
        case lookBehind(set: Int, isNegative: Bool)
        case accept
    }

    private(set) var code: [Instruction] = []
    private(set) var sets: [ScalarSet] = []

    init(_ node: PatternNode) throws(TokenizerError) {
        try emit(node)
        code.append(.accept)
    }

    private mutating func add(_ set: ScalarSet) -> Int {
        sets.append(set)
        return sets.count - 1
    }

    private mutating func append(_ instruction: Instruction) throws(TokenizerError) {
        guard code.count < 20_000 else {
            throw TokenizerError("pattern", problem: "the compiled pattern exceeds 20,000 instructions")
        }
        code.append(instruction)
    }

    private mutating func emit(_ node: PatternNode) throws(TokenizerError) {
        switch node {
        case .empty: break
        case .set(let set): try append(.set(add(set)))
        case .sequence(let nodes):
            for node in nodes { try emit(node) }
        case .alternatives(let nodes):
            var jumps: [Int] = []
            for (index, node) in nodes.enumerated() {
                let isLast = index == nodes.count - 1
                let split = code.count
                if !isLast { try append(.split(split + 1, 0)) }
                try emit(node)
                if isLast { continue }
                jumps.append(code.count)
                try append(.jump(0))
                code[split] = .split(split + 1, code.count)
            }
            for jump in jumps { code[jump] = .jump(code.count) }
        case .repeated(let node, let least, let most, let greed): try emit(node, least, most, greed)
        case .atomic(let node): try emitAtomic(node)
        case .look(let node, let isAhead, let isNegative):
            if !isAhead, let set = node.singleSet {
                return try append(.lookBehind(set: add(set), isNegative: isNegative))
            }
            let start = code.count
            try append(.accept)
            try emit(node)
            try append(.accept)
            code[start] = .lookAhead(next: code.count, isNegative: isNegative)
        case .anchor(let anchor): try append(.anchor(anchor))
        }
    }

    private mutating func emitAtomic(_ node: PatternNode) throws(TokenizerError) {
        let start = code.count
        try append(.accept)
        try emit(node)
        try append(.accept)
        code[start] = .atomic(next: code.count)
    }

    private mutating func emit(
        _ node: PatternNode, _ least: Int, _ most: Int?, _ greed: PatternNode.Greed
    ) throws(TokenizerError) {
        if let set = node.singleSet, greed != .lazy {
            return try append(
                .run(set: add(set), least: least, most: most ?? .max, isPossessive: greed == .possessive))
        }
        if greed == .possessive { return try emitAtomic(.repeated(node, least: least, most: most, .greedy)) }
        for _ in 0..<least { try emit(node) }
        guard let most else {
            let split = code.count
            try append(.split(0, 0))
            try emit(node)
            try append(.jump(split))
            code[split] = greed == .lazy ? .split(code.count, split + 1) : .split(split + 1, code.count)
            return
        }
        var splits: [Int] = []
        for _ in least..<max(most, least) {
            splits.append(code.count)
            try append(.split(0, 0))
            try emit(node)
        }
        for split in splits {
            code[split] = greed == .lazy ? .split(code.count, split + 1) : .split(split + 1, code.count)
        }
    }
}
