import Testing
import Workbench

@Suite("The confusion chart's columns")
struct ConfusionTableTests {
    /// Targets a to d; d was taken for `e` four times, a for `b` once.
    private static let table = ConfusionTable(
        labels: ["a", "b", "c", "d", "e"],
        counts: [
            2, 1, 0, 0, 0, /**/ 0, 3, 0, 0, 0, /**/ 0, 0, 3, 0, 0, /**/ 0, 0, 1, 0, 4, /**/ 0, 0, 0, 0, 0,
        ])

    @Test("all labels appear if they fit")
    func all() {
        #expect(Self.table.columns(room: 5).map(\.title) == ["a", "b", "c", "d", "e"])
        #expect(Self.table.targets(Self.table.columns(room: 5)) == [0, 1, 2, 3])
    }

    @Test("otherwise the most frequent wrong answers appear, with the rest in one column, and rows add up")
    func cut() {
        let columns = Self.table.columns(room: 3)
        #expect(columns.map(\.title) == ["right", "e", "other 2"])
        #expect(Self.table.targets(columns) == [3, 0, 1, 2])
        let rows = (0..<5).map { target in columns.map { Self.table.count(target, $0) } }
        #expect(rows == [[2, 0, 1], [3, 0, 0], [3, 0, 0], [0, 4, 1], [0, 0, 0]])
    }
}
