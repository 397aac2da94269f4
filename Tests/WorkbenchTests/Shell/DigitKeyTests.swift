import Testing
import Workbench

@Suite("Digits")
struct DigitKeyTests {
    @Test("a digit that switches panels means nothing else in any panel")
    func panels() throws {
        var rows: [(chapter: String, keys: String)] = []
        var chapter = ""
        for line in Workbench.keyReference.split(separator: "\n") {
            if line.hasPrefix("## ") { chapter = String(line.dropFirst(3)) }
            guard line.hasPrefix("| `"), let keys = line.split(separator: "|").first else { continue }
            rows.append((chapter: chapter, keys: String(keys)))
        }
        let digits = (0...9).map { "`\($0)" }
        let switching = digits.filter { digit in
            rows.contains { $0.chapter == "Everywhere" && $0.keys.contains(digit) }
        }
        #expect(switching.count == 5)
        for row in rows where row.chapter != "Everywhere" {
            #expect(!switching.contains { row.keys.contains($0) }, "\(row.chapter): \(row.keys)")
        }
    }
}
