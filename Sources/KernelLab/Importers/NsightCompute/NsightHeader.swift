/// Which column of a table of Nsight Compute holds what.
struct NsightHeader {
    let count: Int
    let id: Int
    let kernel: Int
    private let columns: [String: Int]
    /// Columns that describe the launch; all others of a wide table are metrics.
    private static let descriptive: Set<String> = [
        "ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time", "Context", "Stream",
        "Block Size", "Grid Size", "Device", "CC", "Section Name", "Metric Name", "Metric Unit", "Metric Value",
        "Rule Name", "Rule Type", "Rule Description", "Estimated Speedup Type", "Estimated Speedup",
    ]
    /// Metrics of a wide table with their columns.
    let metrics: [(name: String, column: Int)]

    init(_ record: CSVRecord, _ source: ProfileSource) throws {
        var columns: [String: Int] = [:]
        var metrics: [(String, Int)] = []
        for column in 0..<record.count {
            let name = record[column]
            if columns.updateValue(column, forKey: name) != nil, Self.descriptive.contains(name) {
                throw source.error(
                    line: record.line, "duplicate column \(name)", "Export the profile again.")
            }
            if !Self.descriptive.contains(name), !name.isEmpty { metrics.append((name, column)) }
        }
        guard let id = columns["ID"], let kernel = columns["Kernel Name"] else {
            throw source.error(
                line: record.line, "the header has no ID or Kernel Name column",
                "Export with --csv and keep all columns: \(NsightComputeImporter.recipe).")
        }
        self.id = id
        self.kernel = kernel
        self.columns = columns
        self.metrics = metrics
        count = record.count
    }

    var isLong: Bool { metricName != nil && metricValue != nil }
    var metricName: Int? { columns["Metric Name"] }
    var metricUnit: Int? { columns["Metric Unit"] }
    var metricValue: Int? { columns["Metric Value"] }
    var process: Int? { columns["Process ID"] }
    var host: Int? { columns["Host Name"] }
    var stream: Int? { columns["Stream"] }
    var grid: Int? { columns["Grid Size"] }
    var block: Int? { columns["Block Size"] }
    var device: Int? { columns["Device"] }
    var capability: Int? { columns["CC"] }
}
