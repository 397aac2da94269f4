internal import Console
internal import Retrieval

/// The stages of a retrieval side by side, best first, with a cursor on one passage that is followed through all of
/// them.
struct StageColumns: Sendable {
    /// One line of a column.
    enum Line: Hashable, Sendable {
        case entry(Int)
        /// Border above the passages that were ranked but not passed on.
        case limit(String)
    }

    private(set) var record: RetrievalRecord?
    /// Number of the visible record; reads compare it instead of the record.
    private(set) var generation = 0
    /// Labels of the passages without their folders.
    private(set) var shortLabels: [String] = []
    private(set) var lines: [[Line]] = []
    /// Passages that answer the question, as far as that is known.
    var gold: Set<PassageID> = []
    /// The line of every passage, by column.
    private var places: [[PassageID: Int]] = []
    /// The stage under the cursor.
    private(set) var column = 0
    /// Lines of the longest column, with the cursor.
    var list = ListView(context: 1)

    var stages: [Stage] { record?.stages ?? [] }
    /// The passage under the cursor.
    var selected: PassageID? { entry(column, list.selection)?.passage }

    /// Shows another record. For the same question, the cursor stays on its chunk if the chunk is still there;
    /// otherwise it moves to the best chunk of its stage.
    mutating func show(_ record: RetrievalRecord?) {
        let isSame = record?.query == self.record?.query
        let chunk = isSame ? selected.flatMap { self.record?[$0].chunk } : nil
        let name = stages.indices.contains(column) ? stages[column].name : nil
        self.record = record
        generation += 1
        shortLabels = PassageLabel.short(record?.passages ?? [])
        lines = stages.map(Self.lines)
        places = stages.indices.map { column in
            let found = lines[column].indices.compactMap { line in entry(column, line).map { ($0.passage, line) } }
            return Dictionary(found, uniquingKeysWith: { first, _ in first })
        }
        // The best passage of the last finished stage is the result.
        column =
            stages.firstIndex { $0.name == name && !$0.isPending } ?? stages.lastIndex { !$0.entries.isEmpty }
            ?? max(0, stages.count - 1)
        list = ListView(count: lines.map(\.count).max() ?? 0, height: list.height, context: 1)
        if let chunk { follow(chunk: chunk) }
        if selected == nil { list.select(firstEntry) }
    }

    /// Moves the cursor to a chunk: in its column if that ranks the chunk, or else in the first one that does.
    mutating func follow(chunk: Int64) {
        guard let index = record?.passages.firstIndex(where: { $0.chunk == chunk }) else { return }
        let columns = [column] + lines.indices
        guard let found = columns.first(where: { place(of: PassageID(index), in: $0) != nil }) else { return }
        column = found
        list.select(place(of: PassageID(index), in: found) ?? 0)
    }

    /// Returns the line of a passage in a column.
    func place(of passage: PassageID, in column: Int) -> Int? {
        places.indices.contains(column) ? places[column][passage] : nil
    }

    /// Returns whether a stage gets its passages from another one.
    func isFed(_ column: Int, by other: Int) -> Bool { stages[column].inputs.contains(stages[other].name) }

    func entry(_ column: Int, _ line: Int) -> Stage.Entry? {
        guard lines.indices.contains(column), lines[column].indices.contains(line),
            case .entry(let index) = lines[column][line]
        else { return nil }
        return stages[column].entries[index]
    }

    /// Returns the lines of a column: its entries, and a border after the last entry that the stage passes on.
    private static func lines(_ stage: Stage) -> [Line] {
        var lines = stage.entries.indices.map(Line.entry)
        if let first = stage.entries.firstIndex(where: { $0.verdict == .cut }) {
            let limit = stage.kept.map { "k = \($0)" } ?? "not kept"
            lines.insert(.limit(stage.kind == .context ? "left out" : limit), at: first)
        }
        return lines
    }

    // MARK: Moving

    mutating func move(_ motion: Motion) {
        switch motion {
        case .rows(let rows): move(by: rows)
        case .pages(let pages): move(by: pages * max(1, list.height - 2))
        case .start: move(by: -list.selection)
        case .end: move(by: list.count)
        case .columns(let step): turn(by: step)
        }
    }

    private mutating func move(by step: Int) {
        guard lines.indices.contains(column), !lines[column].isEmpty else { return }
        let last = lines[column].count - 1
        var next = max(0, min(last, list.selection + step))
        // Skip the line that marks the stage's cutoff.
        if entry(column, next) == nil { next = max(0, min(last, next + (step < 0 ? -1 : 1))) }
        list.select(entry(column, next) == nil ? firstEntry : next)
    }

    /// Moves to the next or previous stage, and to the same passage if that stage ranks it.
    private mutating func turn(by step: Int) {
        let next = max(0, min(stages.count - 1, column + step))
        guard next != column else { return }
        let passage = selected
        column = next
        list.select(passage.flatMap { place(of: $0, in: next) } ?? min(list.selection, lines[next].count - 1))
        if selected == nil { list.select(firstEntry) }
    }

    /// Moves the cursor to a passage at a point.
    mutating func select(at point: Point, in area: Rect) {
        guard hitsEntry(at: point, in: area), let place = place(at: point, in: area) else { return }
        column = place.stage
        list.select(place.line)
    }

    /// Returns whether there is a passage at a point.
    func hitsEntry(at point: Point, in area: Rect) -> Bool {
        place(at: point, in: area).map { entry($0.stage, $0.line) != nil } ?? false
    }

    /// The first line of the cursor's column with a passage.
    private var firstEntry: Int {
        guard lines.indices.contains(column) else { return 0 }
        return lines[column].indices.first { entry(column, $0) != nil } ?? 0
    }
}
