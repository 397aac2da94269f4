extension NsightComputeImporter {
    private struct Column {
        var field: Int
        var slot: Int
        var factor: Double
        var name: String
    }

    /// The column with the device's name, a metric that is a text.
    private static let deviceName = "device__attribute_display_name"

    mutating func readWide(
        _ reader: CSVReader, _ header: NsightHeader, _ source: ProfileSource, _ sink: ProfileSink
    ) throws {
        var record = CSVRecord()
        guard try nextRow(reader, header, source, into: &record) else { return }
        var isUnits = record.utf8(header.id).isEmpty
        var columns: [Column] = []
        for (name, field) in header.metrics {
            let (factor, unit) = isUnits ? NsightUnit.fold(record[field]) : (1, "")
            columns.append(Column(field: field, slot: try slot(name, unit: unit, sink), factor: factor, name: name))
        }
        if !isUnits { sink.note("The table has no row of units; base units are assumed.") }
        let nameColumn = header.metrics.first { $0.name == Self.deviceName }?.column
        while true {
            if !isUnits {
                metrics.clear()
                for column in columns {
                    if let value = try number(record, column.field, column.name, source) {
                        metrics.set(column.slot, value * column.factor)
                    }
                }
                let launch = try describe(record, header, sink)
                if let name = record.text(nameColumn), DecimalNumber.parse(name) == nil {
                    sink.rename(device: launch.device, to: name)
                }
                try finish(launch, sink)
            }
            isUnits = false
            guard try nextRow(reader, header, source, into: &record) else { return }
            // A second process repeats the header and its units, which are the same.
            isUnits = record.utf8(header.id).isEmpty
        }
    }

    mutating func readLong(
        _ reader: CSVReader, _ header: NsightHeader, _ source: ProfileSource, _ sink: ProfileSink
    ) throws {
        guard let nameColumn = header.metricName, let valueColumn = header.metricValue else { return }
        var record = CSVRecord()
        var open: (key: String, launch: Launch)?
        var folded: [String: (factor: Double, base: String)] = [:]
        metrics.clear()
        while try nextRow(reader, header, source, into: &record) {
            guard !record.utf8(header.id).isEmpty else {
                throw source.error(
                    line: record.line, "the row has no ID", "The file was edited. Export it again.")
            }
            let key = "\(record[header.id])|\(record.text(header.process) ?? "")|\(record.text(header.host) ?? "")"
            if open?.key != key {
                if let open { try finish(open.launch, sink) }
                metrics.clear()
                open = (key, try describe(record, header, sink))
            }
            // Rows of rules have no metric.
            guard let label = record.text(nameColumn) else { continue }
            if label == Self.deviceName, let launch = open?.launch, let name = record.text(valueColumn) {
                sink.rename(device: launch.device, to: name)
                continue
            }
            guard let value = try number(record, valueColumn, label, source) else { continue }
            let written = record.text(header.metricUnit) ?? ""
            let (factor, unit) = folded[written] ?? NsightUnit.fold(written)
            if folded.count < 1_024 { folded[written] = (factor, unit) }
            let metric = NsightLabels.metric(label, unit: unit)
            metrics.set(try slot(metric, unit: unit, sink), value * factor)
        }
        if let open { try finish(open.launch, sink) }
    }

    /// A figure of a metric; nil for what is not a number: `N/A`, `nan`, texts.
    ///
    /// Instanced metrics are lists, `12 (5; 7)` or `(5; 7)`: the first is the total already, of the second the total
    /// is made as the metric's name says.
    private func number(
        _ record: CSVRecord, _ field: Int, _ name: String, _ source: ProfileSource
    ) throws -> Double? {
        if let number = record.number(field) { return number }
        let bytes = record.utf8(field)
        guard let first = bytes.first else { return nil }
        if first == UInt8(ascii: "(") || (bytes.last == UInt8(ascii: ")") && (0x30...0x39).contains(first)) {
            return Self.instances(record[field], name)
        }
        // A decimal comma, which would be read a thousand times too large in every other row.
        if (0x30...0x39).contains(first), bytes.contains(0x2C),
            bytes.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2C || $0 == 0x2E })
        {
            throw source.error(
                line: record.line, "\(record[field]) of \(name) has a comma that is not a thousands separator",
                "Export with LC_ALL=C to get decimal points.")
        }
        return nil
    }

    private static func instances(_ text: String, _ name: String) -> Double? {
        guard let opening = text.firstIndex(of: "(") else { return nil }
        if let total = DecimalNumber.parse(String(text[..<opening])) { return total }
        guard text.last == ")" else { return nil }
        let inside = text[text.index(after: opening)...].dropLast()
        let parts = inside.split(separator: ";").map { DecimalNumber.parse(String($0)) }
        let numbers = parts.compactMap { $0 }
        guard !numbers.isEmpty, numbers.count == parts.count else { return nil }
        if name.contains(".sum") { return numbers.reduce(0, +) }
        if name.contains(".avg") { return numbers.reduce(0, +) / Double(numbers.count) }
        if name.contains(".max") { return numbers.max() }
        if name.contains(".min") { return numbers.min() }
        return nil
    }
}
