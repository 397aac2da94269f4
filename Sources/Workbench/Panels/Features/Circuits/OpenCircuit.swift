internal import Console
internal import Interpretability

/// A question about a circuit, its map, and the cell under the cursor.
struct OpenCircuit: Sendable {
    var question = CircuitQuestion()
    private(set) var reading: CircuitReading?
    /// The cell that was run last.
    var cell: CircuitCell?
    private(set) var cursor = HeatGrid.Position(row: 0, column: 0)
    var parts = ListView()
    var isRunning = false
    /// Error of the last run.
    private(set) var fault: String?

    // MARK: Runs

    mutating func start() { (isRunning, fault, cell) = (true, nil, nil) }

    mutating func show(_ reading: CircuitReading) {
        self.reading = reading
        parts.count = reading.sum.terms.count
    }

    /// Shows the final map, with the cursor on its strongest cell.
    mutating func finish(_ reading: CircuitReading) {
        show(reading)
        isRunning = false
        cursor = reading.map.strongest(1).first.map { .init(row: $0.row, column: $0.column) } ?? cursor
    }

    mutating func fail(_ sentence: String) {
        if reading?.question != question { clear() }
        (isRunning, fault) = (false, sentence)
    }

    /// Clears the results.
    mutating func clear() {
        (reading, cell, fault) = (nil, nil, nil)
        parts.count = 0
    }

    // MARK: The cursor

    /// Whether the cell under the cursor has a score.
    var hasScore: Bool { reading.map { !$0.map[cursor.row, cursor.column].isNaN } ?? false }

    mutating func moveCursor(rows: Int, columns: Int) {
        guard let map = reading?.map else { return }
        cursor.row = max(0, min(map.rows.labels.count - 1, cursor.row + rows))
        cursor.column = max(0, min(map.columns.labels.count - 1, cursor.column + columns))
    }

    mutating func moveCursor(_ motion: Motion) {
        switch motion {
        case .rows(let rows): moveCursor(rows: rows, columns: 0)
        case .pages(let pages): moveCursor(rows: 8 * pages, columns: 0)
        case .start: moveCursor(rows: -10_000, columns: 0)
        case .end: moveCursor(rows: 10_000, columns: 0)
        case .columns(let columns): moveCursor(rows: 0, columns: columns)
        }
    }

    /// Returns the cell of the map at a point; `nil` elsewhere.
    func cell(at point: Point, in inside: Rect) -> HeatGrid.Position? {
        heatmap?.place(at: point, in: Self.plot(inside), theme: .dark)
    }

    mutating func pressMap(at point: Point, in inside: Rect) {
        if let place = cell(at: point, in: inside) { cursor = place }
    }
}
