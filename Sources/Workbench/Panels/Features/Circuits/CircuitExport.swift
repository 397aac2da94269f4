internal import Console
internal import Formatting
internal import Glibc
internal import Interpretability
internal import System
internal import Tensors
internal import Traces

/// A question's answer as a file whose ending says how: cells of the map, tensors, or a picture.
struct CircuitExport: Sendable {
    var reading: CircuitReading
    /// The bars are asked for, not the map.
    var isOfParts: Bool
    /// SVG.
    var picture: String

    /// An existing file is not overwritten.
    func write(to path: String) throws {
        if path.hasSuffix(".svg") { return try write(picture, to: path) }
        if path.hasSuffix(".csv") { return try write(isOfParts ? reading.sum.csv : reading.map.csv(), to: path) }
        guard path.hasSuffix(".safetensors") else {
            throw Problem(.unknown, path, "unknown file type", remedy: "End the name in .csv, .safetensors, or .svg.")
        }
        guard access(path, F_OK) != 0 else {
            throw Problem.exists(path)
        }
        guard isOfParts else { return try reading.map.write(to: path) }
        let values = reading.sum.parts.map(\.value)
        try TensorFile.write(
            [("parts", AnyTensor(try Tensor<Double>(values, shape: [values.count])))],
            metadata: [
                "parts": reading.sum.parts.map(\.label).joined(separator: " "), "metric": reading.metric,
                "logit": "\(reading.sum.logit)",
            ], to: path)
    }

    private func write(_ text: String, to path: String) throws {
        try ExportFile.write(path, replacing: false) { try $0(text) }
    }
}

extension CircuitSum {
    /// A line a part, the sum and what it should be last.
    fileprivate var csv: String {
        let lines = ["part,value"] + parts.map { "\($0.label),\($0.value)" } + ["sum,\(sum)", "logit,\(logit)"]
        return lines.joined(separator: "\n") + "\n"
    }
}

extension CircuitPage {
    func export(to path: String) -> [Effect<FeatureAnswer>] {
        guard let reading else { return [] }
        let export = CircuitExport(
            reading: reading, isOfParts: pane == .parts, picture: path.hasSuffix(".svg") ? picture : "")
        return [
            .ask(key: Self.keyPrefix + "-export") { _ in
                try export.write(to: path)
                return .written("written to \(path)")
            }
        ]
    }

    var exportName: String { pane == .parts ? "parts.csv" : "circuit.csv" }

    /// The pane with the keys alone, for a light page.
    private var picture: String {
        var page = self
        page.turned = []
        let rows = pane == .parts ? reading?.sum.parts.count ?? 0 : reading?.map.rows.labels.count ?? 0
        let area = Rect(Size(120, max(16, min(rows, 60) + 8)))
        page.isZoomed = true
        _ = page.place(area)
        var surface = Surface(Size(area.columns, area.rows))
        page.render(into: &surface, area: area, theme: .light)
        return surface.svg(theme: .light, options: SVGOptions(title: "Circuits"))
    }

    func markdown(_ reading: CircuitReading) -> String {
        let map = reading.map
        var lines = ["## \(map.title)", "", "\(reading.metric). \(map.formula).", ""]
        let names = map.columns.labels.indices.map {
            Escape.printable(reading.columnName($0)).replacing("|", with: "\\|")
        }
        lines.append("| \(map.rows.name) | \(names.joined(separator: " | ")) |")
        lines.append("|---|" + String(repeating: "---:|", count: names.count))
        for row in map.rows.labels.indices {
            let cells = map.columns.labels.indices.map {
                map[row, $0].isNaN ? "" : Format.fixed(map[row, $0], digits: 2)
            }
            lines.append("| \(reading.rowName(row)) | \(cells.joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
