internal import System
internal import Tensors

/// Writes texts of a grammar: draws alternatives by weight, makes names, and keeps what slots have bound.
struct GrammarExpander {
    /// What a variable is bound to.
    struct Bound {
        var text: String
        var attributes: [String: String] = [:]
    }

    let grammar: Grammar
    let region: HeldOutRegion
    /// Names come from the held-out region instead of from outside of it.
    let isHeldOut: Bool
    var random = PhiloxGenerator(seed: 0)
    private var bound: [Bound?]
    /// Names of this document: no two are equal, nor begin with the same syllable as long as there are enough.
    private(set) var usedNames: Set<String> = []
    private var usedBeginnings: Set<String> = []
    /// The alternatives of the first rule, which tell one template from another.
    private(set) var template: UInt64 = 0

    static let deepest = 64
    static let longest = 1 << 16

    init(_ grammar: Grammar, region: HeldOutRegion, isHeldOut: Bool) {
        self.grammar = grammar
        self.region = region
        self.isHeldOut = isHeldOut
        bound = Array(repeating: nil, count: grammar.variables.count)
    }

    /// Begins a document: nothing is bound, and no name is used.
    mutating func begin(_ random: PhiloxGenerator) {
        self.random = random
        for index in bound.indices { bound[index] = nil }
        usedNames.removeAll(keepingCapacity: true)
        usedBeginnings.removeAll(keepingCapacity: true)
        template = 0
    }

    mutating func bind(_ name: String, _ text: String) {
        if let index = grammar.variables.firstIndex(of: name) { bound[index] = Bound(text: text) }
    }

    mutating func expand(rule: Int) throws(Problem) -> Bound { try expand(rule: rule, depth: 0) }

    /// Writes one of several alternatives.
    mutating func expand(oneOf alternatives: [Grammar.Alternative]) throws(Problem) -> String {
        let total = alternatives.reduce(0) { $0 + $1.weight }
        return try expand(alternatives[pick(alternatives, total)])
    }

    mutating func expand(_ alternative: Grammar.Alternative) throws(Problem) -> String {
        try write(alternative.pieces, depth: 0).text
    }

    mutating func integer(_ range: ClosedRange<Int>) -> Int {
        random.integer(in: range.lowerBound..<range.upperBound + 1)
    }

    mutating func chance(_ probability: Double) -> Bool { random.uniform() < probability }

    /// A value of a relation.
    mutating func value(_ value: Grammar.Value) throws(Problem) -> String {
        try resolve(value, depth: 0).text
    }

    /// A name that this document has not used yet, on the side of the held-out region that was asked for.
    mutating func name(_ index: Int) throws(Problem) -> String {
        for attempt in 0..<4_000 {
            var name = ""
            var beginning = ""
            for (syllables, isOptional) in grammar.names[index].parts {
                let drawn = random.integer(in: 0..<syllables.count + (isOptional ? syllables.count : 0))
                guard drawn < syllables.count else { continue }
                if beginning.isEmpty { beginning = syllables[drawn] }
                name += syllables[drawn]
            }
            guard region.contains(name) == isHeldOut, !grammar.capitalizedWords.contains(name),
                attempt >= 1_000 || !usedBeginnings.contains(beginning), usedNames.insert(name).inserted
            else { continue }
            usedBeginnings.insert(beginning)
            return name
        }
        throw Problem(
            .invalid, "names \(grammar.names[index].name)", "the document has used every name",
            remedy: "Add syllables to the first part of the name.")
    }

    private mutating func expand(rule: Int, depth: Int) throws(Problem) -> Bound {
        guard depth < Self.deepest else {
            throw Problem(
                .invalid, "rule \(grammar.rules[rule].name)", "rules are nested deeper than \(Self.deepest)",
                remedy: "Give each recursive rule an alternative without recursion, with a larger weight.")
        }
        let drawn = pick(grammar.rules[rule].alternatives, grammar.rules[rule].totalWeight)
        if depth < 2 { template = TextHash.mixed(template ^ UInt64(rule << 20 | drawn)) }
        let alternative = grammar.rules[rule].alternatives[drawn]
        var result = try write(alternative.pieces, depth: depth)
        if !alternative.attributes.isEmpty { result.attributes = alternative.attributes }
        return result
    }

    private mutating func pick(_ alternatives: [Grammar.Alternative], _ total: Int) -> Int {
        if alternatives.count <= 1 { return 0 }
        var left = random.integer(in: 0..<max(1, total))
        for index in alternatives.indices {
            left -= alternatives[index].weight
            if left < 0 { return index }
        }
        return alternatives.count - 1
    }

    private mutating func write(_ pieces: [Grammar.Piece], depth: Int) throws(Problem) -> Bound {
        // An alternative that is one slot hands on what that slot is bound to, agreement included.
        if pieces.count == 1, case .slot(let slot) = pieces[0], !slot.isSilent { return try fill(slot, depth: depth) }
        var text = ""
        for piece in pieces {
            switch piece {
            case .literal(let literal): text += literal
            case .slot(let slot):
                let value = try fill(slot, depth: depth)
                if !slot.isSilent { text += value.text }
            }
            guard text.utf8.count <= Self.longest else {
                throw Problem(.limit, "a document", "the text exceeds \(Self.longest) bytes")
            }
        }
        return Bound(text: text)
    }

    private mutating func fill(_ slot: Grammar.Slot, depth: Int) throws(Problem) -> Bound {
        var value = try resolve(slot.value, depth: depth)
        if let other = slot.other, let taken = bound[other]?.text {
            var attempts = 0
            while value.text == taken, attempts < 100 {
                value = try resolve(slot.value, depth: depth)
                attempts += 1
            }
        }
        if let variable = slot.variable { bound[variable] = value }
        if let attribute = slot.attribute {
            guard let found = value.attributes[attribute] else {
                throw Problem(.missing, "a slot", "\"\(value.text)\" has no agreement named \(attribute)")
            }
            value = Bound(text: found)
        }
        if slot.isCapitalized, let first = value.text.first {
            value.text = first.uppercased() + value.text.dropFirst()
        }
        return value
    }

    private mutating func resolve(_ value: Grammar.Value, depth: Int) throws(Problem) -> Bound {
        switch value {
        case .rule(let rule): return try expand(rule: rule, depth: depth + 1)
        case .names(let index): return Bound(text: try name(index))
        case .range(let range): return Bound(text: String(integer(range)))
        case .variable(let index):
            guard let value = bound[index] else {
                throw Problem(.invalid, "a slot", "{\(grammar.variables[index])} is used before it is bound")
            }
            return value
        }
    }
}
