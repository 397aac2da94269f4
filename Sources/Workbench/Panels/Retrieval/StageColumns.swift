internal import Retrieval

/// The stages of a retrieval side by side, best first, with a cursor on one passage that is followed through all of
/// them.
struct StageColumns: Sendable {
    /// One line of a column.
    enum Line: Hashable, Sendable {
        case entry(Int)
        /// Behind it stands what was ranked and does not go on.
        case limit(String)
    }

    private(set) var record: RetrievalRecord?
    /// Labels of the passages without their folders.
    private(set) var shortLabels: [String] = []
    private(set) var lines: [[Line]] = []
    /// The passages that answer the question, where that is known.
    private(set) var gold: Set<PassageID> = []
    /// The line of every passage, by column.
    private var places: [[PassageID: Int]] = []
    /// The stage under the cursor.
    private(set) var column = 0
    private(set) var line = 0
    /// The first line in view, of every column.
    private(set) var top = 0
    /// Lines in view; set it when the area changes.
    var height = 1 {
        didSet { keepInView() }
    }

    var stages: [Stage] { record?.stages ?? [] }
    var stage: Stage? { stages.indices.contains(column) ? stages[column] : nil }

    /// The passage under the cursor.
    var selected: PassageID? { entry(column, line)?.passage }

    /// Shows another record. For the same question, the cursor stays on its chunk if the chunk is still there;
    /// otherwise it moves to the best chunk of its stage.
    mutating func show(_ record: RetrievalRecord?, gold: Set<PassageID> = []) {
        let isSame = record?.query == self.record?.query
        let chunk = isSame ? selected.flatMap { self.record?[$0].chunk } : nil
        let name = stage?.name
        self.record = record
        self.gold = gold
        shortLabels = PassageLabel.short(record?.passages ?? [])
        lines = stages.map(Self.lines)
        places = stages.indices.map { column in
            var places: [PassageID: Int] = [:]
            for line in lines[column].indices {
                if let passage = entry(column, line)?.passage, places[passage] == nil { places[passage] = line }
            }
            return places
        }
        // The best passage of the last finished stage is the result.
        column =
            stages.firstIndex { $0.name == name && !$0.isPending } ?? stages.lastIndex { !$0.entries.isEmpty }
            ?? max(0, stages.count - 1)
        line = 0
        top = 0
        if let chunk { follow(chunk: chunk) }
        if selected == nil { line = lines.indices.contains(column) ? firstEntry(column) : 0 }
        keepInView()
    }

    mutating func mark(_ gold: Set<PassageID>) { self.gold = gold }

    /// Puts the cursor on a passage, in this column where it is there, else in the first that has it.
    mutating func follow(_ passage: PassageID) {
        guard let place = place(of: passage, in: column).map({ (column, $0) }) ?? anywhere(passage) else { return }
        (column, line) = place
        keepInView()
    }

    /// Puts the cursor on a chunk, where the record has it.
    mutating func follow(chunk: Int64) {
        guard let index = record?.passages.firstIndex(where: { $0.chunk == chunk }) else { return }
        follow(PassageID(index))
    }

    private func anywhere(_ passage: PassageID) -> (Int, Int)? {
        lines.indices.lazy.compactMap { index in place(of: passage, in: index).map { (index, $0) } }.first
    }

    /// The line that a passage has in a column.
    func place(of passage: PassageID, in column: Int) -> Int? {
        places.indices.contains(column) ? places[column][passage] : nil
    }

    /// Whether a stage works on what another let through.
    func isFed(_ column: Int, by other: Int) -> Bool {
        stages.indices.contains(column) && stages.indices.contains(other)
            && stages[column].inputs.contains(stages[other].name)
    }

    func entry(_ column: Int, _ line: Int) -> Stage.Entry? {
        guard lines.indices.contains(column), lines[column].indices.contains(line),
            case .entry(let index) = lines[column][line]
        else { return nil }
        return stages[column].entries[index]
    }

    /// A column's lines: the entries, and a line where the stage stops letting through.
    private static func lines(_ stage: Stage) -> [Line] {
        var lines: [Line] = []
        var hasLimit = false
        for (index, entry) in stage.entries.enumerated() {
            if entry.verdict == .cut, !hasLimit {
                hasLimit = true
                let limit = stage.kept.map { "k = \($0)" } ?? "not kept"
                lines.append(.limit(stage.kind == .context ? "left out" : limit))
            }
            lines.append(.entry(index))
        }
        return lines
    }

    // MARK: Moving

    mutating func move(by step: Int) {
        guard lines.indices.contains(column), !lines[column].isEmpty else { return }
        let last = lines[column].count - 1
        var next = max(0, min(last, line + step))
        // Skip the line that marks the stage's cutoff.
        if entry(column, next) == nil { next += step < 0 ? -1 : 1 }
        line = max(0, min(last, next))
        if entry(column, line) == nil { line = firstEntry(column) }
        keepInView()
    }

    mutating func movePages(_ pages: Int) { move(by: pages * max(1, height - 2)) }
    mutating func moveToStart() { move(by: -line) }
    mutating func moveToEnd() { if lines.indices.contains(column) { move(by: lines[column].count) } }

    /// To the next or previous stage, on the same passage where it is there.
    mutating func turn(by step: Int) {
        let next = max(0, min(stages.count - 1, column + step))
        guard next != column else { return }
        let passage = selected
        column = next
        line = passage.flatMap { place(of: $0, in: next) } ?? min(line, max(0, lines[next].count - 1))
        if entry(column, line) == nil { line = firstEntry(column) }
        keepInView()
    }

    mutating func scroll(by rows: Int) { move(by: rows) }

    /// Number of rows that shows every line of every column.
    var longest: Int { lines.map(\.count).max() ?? 0 }

    /// Moves the cursor to a click.
    mutating func select(column: Int, line: Int) {
        guard entry(column, line) != nil else { return }
        self.column = column
        self.line = line
        keepInView()
    }

    private func firstEntry(_ column: Int) -> Int {
        lines[column].indices.first { entry(column, $0) != nil } ?? 0
    }

    private mutating func keepInView() {
        let margin = min(1, max(0, (height - 1) / 2))
        top = max(line + margin - height + 1, min(top, line - margin))
        top = max(0, min(top, longest - height))
    }
}
