import ArgumentParser

/// A size such as `120x40`.
package struct ScreenSize: ExpressibleByArgument {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    package init?(argument: String) {
        let numbers = argument.split(separator: "x").compactMap { Int($0) }
        guard numbers.count == 2, (1...1000).contains(numbers[0]), (1...1000).contains(numbers[1]) else { return nil }
        self.init(columns: numbers[0], rows: numbers[1])
    }

    package var defaultValueDescription: String { "\(columns)x\(rows)" }
}
