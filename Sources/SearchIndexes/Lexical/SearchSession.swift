/// What one search at a time works with: an analysis, the terms that were looked up already, an array of sums.
final class SearchSession {
    let analysis: TextAnalysis
    let snapshot: LexicalSnapshot
    let sums: UnsafeMutablePointer<Double>
    /// Of each term that the analysis knows, by its number.
    private var entries: [TermEntry?] = []
    private var entryBytes = 0
    /// Of each term its place in the query that is being made, or -1.
    private var places: [Int32] = []

    /// A session that holds more bytes than this forgets what it has looked up.
    private static let memoryLimit = 96 << 20

    init(_ snapshot: LexicalSnapshot) {
        self.snapshot = snapshot
        analysis = TextAnalysis(snapshot.settings.analyzer)
        sums = UnsafeMutableRawPointer.allocate(byteCount: 8 * SegmentSearch.windowSize, alignment: 64)
            .bindMemory(to: Double.self, capacity: SegmentSearch.windowSize)
        sums.initialize(repeating: 0, count: SegmentSearch.windowSize)
    }

    deinit { sums.deallocate() }

    var isFull: Bool { entryBytes > Self.memoryLimit || analysis.byteCount > TextAnalysis.memoryLimit }

    /// Returns the entry of a term by the number that the analysis gave it.
    func entry(_ number: Int) throws(SegmentError) -> TermEntry {
        if number < entries.count, let entry = entries[number] { return entry }
        let entry = try TermEntry.term(analysis.term(number), in: snapshot)
        while entries.count < analysis.termCount { entries.append(nil) }
        entries[number] = entry
        entryBytes += entry.byteCount
        return entry
    }

    /// A part of a compiled query.
    struct Unit {
        var entry: TermEntry
        /// Fields to look in; `nil` is all.
        var field: Int?
        /// How often the query has it.
        var factor = 1.0
    }

    /// A query whose terms were looked up.
    struct Compiled {
        /// What adds to scores, required words too.
        var scored: [Unit] = []
        var required: [Unit] = []
        var excluded: [Unit] = []
        /// A field that the index has not.
        var unknownField: String?
    }

    func compile(_ query: LexicalQuery) throws(SegmentError) -> Compiled {
        var compiled = Compiled()
        for clause in query.clauses {
            var field: Int?
            if let name = clause.field {
                field = snapshot.settings.fields.firstIndex { $0.name == name }
                if field == nil {
                    compiled.unknownField = name
                    continue
                }
            }
            switch clause.content {
            case .words(let text):
                let numbers = numbers(of: text)
                if clause.occurrence == .excluded, numbers.count > 1 {
                    try addPhrase(text, clause.occurrence, field, to: &compiled)
                } else {
                    try add(numbers, clause.occurrence, field, to: &compiled)
                }
            case .terms(let terms): try add(terms.map(number), clause.occurrence, field, to: &compiled)
            case .phrase(let text): try addPhrase(text, clause.occurrence, field, to: &compiled)
            case .prefix(let text): try addPrefix(text, clause.occurrence, field, to: &compiled)
            }
        }
        return compiled
    }

    private func numbers(of text: String) -> [Int] {
        var text = text
        var numbers: [Int] = []
        text.withUTF8 { bytes in
            analysis.forEachWord(in: bytes) { outcome, _, _ in if outcome >= 0 { numbers.append(Int(outcome)) } }
        }
        return numbers
    }

    private func number(of term: String) -> Int {
        var term = term
        return term.withUTF8 { analysis.number(of: $0) }
    }

    private func add(
        _ numbers: [Int], _ occurrence: LexicalQuery.Occurrence, _ field: Int?, to compiled: inout Compiled
    ) throws(SegmentError) {
        while places.count < analysis.termCount { places.append(-1) }
        defer { for number in numbers { places[number] = -1 } }
        let first = compiled.scored.count
        for number in numbers {
            if occurrence == .excluded {
                compiled.excluded.append(Unit(entry: try entry(number), field: field))
            } else if places[number] >= 0 {
                compiled.scored[Int(places[number])].factor += 1
            } else {
                places[number] = Int32(compiled.scored.count)
                let unit = Unit(entry: try entry(number), field: field)
                compiled.scored.append(unit)
                if occurrence == .required { compiled.required.append(unit) }
            }
        }
        if first > 0 { merge(&compiled, from: first) }
    }

    /// The same term in the same field counts as one that repeats.
    private func merge(_ compiled: inout Compiled, from first: Int) {
        var kept = Array(compiled.scored[..<first])
        for unit in compiled.scored[first...] {
            if let place = kept[..<first].firstIndex(where: { $0.entry === unit.entry && $0.field == unit.field }) {
                kept[place].factor += unit.factor
            } else {
                kept.append(unit)
            }
        }
        compiled.scored = kept
    }

    private func add(_ unit: Unit, _ occurrence: LexicalQuery.Occurrence, to compiled: inout Compiled) {
        switch occurrence {
        case .excluded: compiled.excluded.append(unit)
        case .required:
            compiled.scored.append(unit)
            compiled.required.append(unit)
        case .optional: compiled.scored.append(unit)
        }
    }

    private func addPhrase(
        _ text: String, _ occurrence: LexicalQuery.Occurrence, _ field: Int?, to compiled: inout Compiled
    ) throws(SegmentError) {
        var terms: [(term: String, offset: Int)] = []
        var first = 0
        for word in analysis.analyze(text) {
            guard let term = word.term else { continue }
            if terms.isEmpty { first = word.position }
            terms.append((term, word.position - first))
        }
        guard terms.count > 1 else { return try add(numbers(of: text), occurrence, field, to: &compiled) }
        var idfs = [Double](repeating: 0, count: snapshot.settings.fields.count)
        for term in terms {
            let own = try entry(number(of: term.term)).idfs
            for field in idfs.indices { idfs[field] += own[field] }
        }
        add(Unit(entry: try .phrase(terms, in: snapshot, idfs: idfs), field: field), occurrence, to: &compiled)
    }

    private func addPrefix(
        _ text: String, _ occurrence: LexicalQuery.Occurrence, _ field: Int?, to compiled: inout Compiled
    ) throws(SegmentError) {
        // What is typed may be several words to the splitter: only the last can be unfinished.
        let words = analysis.analyze(text)
        guard let last = words.last else { return }
        for word in words.dropLast() {
            if let term = word.term { try add([number(of: term)], occurrence, field, to: &compiled) }
        }
        let whole = last.term.map { [$0] } ?? []
        add(
            Unit(entry: try .prefix(last.word, with: whole, in: snapshot), field: field), occurrence, to: &compiled)
    }

    func search(
        _ compiled: Compiled, allowed: LabelFilter?, into collector: inout some HitCollector
    ) throws(SegmentError) {
        for index in snapshot.segments.indices {
            var search = SegmentSearch(live: snapshot.segments[index], allowed: allowed)
            search.scored.reserveCapacity(compiled.scored.count)
            for unit in compiled.scored {
                forEachList(unit, index) { search.scored.append(($0, unit.factor)) }
            }
            for unit in compiled.required {
                var group: [PostingList] = []
                forEachList(unit, index) { group.append($0) }
                search.required.append(group)
            }
            for unit in compiled.excluded { forEachList(unit, index) { search.excluded.append($0) } }
            try search.run(into: &collector, sums: sums)
        }
    }

    private func forEachList(_ unit: Unit, _ segment: Int, _ body: (PostingList) -> Void) {
        if let field = unit.field {
            if let list = unit.entry.list(segment, field) { body(list) }
        } else {
            for field in unit.entry.frequencies.indices {
                if let list = unit.entry.list(segment, field) { body(list) }
            }
        }
    }
}
