internal import Console
internal import Formatting
internal import Interpretability
internal import Tensors

extension CircuitReading {
    /// Writes the map, or the bars of the parts.
    func write(_ pane: FeaturePage.PaneName, to file: PaneFile) throws {
        guard pane == .parts else { return try file.write(csv: { map.csv() }, tensors: map.write) }
        try file.write(csv: { sum.csv }, tensors: writeParts)
    }

    private func writeParts(to path: String) throws {
        let values = AnyTensor(try Tensor<Double>(sum.terms.map(\.value), shape: [sum.terms.count]))
        let names = sum.terms.map(\.part.label).joined(separator: " ")
        let metadata = ["parts": names, "metric": metric, "logit": "\(sum.logit)"]
        try TensorFile.write([("parts", values)], metadata: metadata, to: path)
    }

    /// The map as a Markdown table.
    var markdown: String {
        var lines = ["## \(map.title)", "", "\(metric). \(map.formula).", ""]
        let names = map.columns.labels.indices.map {
            Escape.printable(columnName($0)).replacing("|", with: "\\|")
        }
        lines.append("| \(map.rows.name) | \(names.joined(separator: " | ")) |")
        lines.append("|---|" + String(repeating: "---:|", count: names.count))
        for row in map.rows.labels.indices {
            let cells = map.columns.labels.indices.map {
                map[row, $0].isNaN ? "" : Format.fixed(map[row, $0], digits: 2)
            }
            lines.append("| \(rowName(row)) | \(cells.joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension AttributionSum {
    /// CSV with one line per part, then the sum and the difference.
    fileprivate var csv: String {
        let lines = ["part,value"] + terms.map { "\($0.part.label),\($0.value)" } + ["sum,\(sum)", "logit,\(logit)"]
        return lines.joined(separator: "\n") + "\n"
    }
}
