internal import Console
internal import System
internal import Tensors

/// A chart for export: numbers as CSV or tensors, the picture as SVG.
struct AttentionChart: Sendable {
    struct Named: Sendable {
        var name: String
        var values: [Float]
        var shape: [Int]
    }

    var title: String
    /// Column names, then one row per number.
    var rows: [[String]]
    var tensors: [Named]
    /// Facts needed to read the tensors, such as the size of a cell.
    var metadata: [String: String] = [:]
    /// Picture, for a light background.
    var surface: Surface

    /// Writes a file in the format of its extension; existing files are never replaced.
    ///
    /// - Returns: A message for the user.
    func write(to path: String) throws -> String {
        let picture = path.hasSuffix(".svg") ? surface.svg(theme: .light, options: SVGOptions(title: title)) : ""
        try PaneFile(path: path, picture: picture).write(csv: { csv }, tensors: writeTensors)
        return "\(title) written to \(path)"
    }

    /// CSV by RFC 4180, with control characters escaped.
    var csv: String {
        rows.map { $0.map(Self.quoted).joined(separator: ",") + "\n" }.joined()
    }

    private static func quoted(_ field: String) -> String {
        let text = Escape.printable(field)
        guard text.contains(where: { ",\"\n\r".contains($0) }) || text.first == " " || text.last == " " else {
            return text
        }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    private func writeTensors(to path: String) throws {
        guard !tensors.isEmpty else {
            throw Problem(.invalid, "", "\(title) contains only text", remedy: "End the name in .csv or .svg.")
        }
        var named: [(name: String, tensor: AnyTensor)] = []
        for one in tensors.sorted(by: { $0.name < $1.name }) {
            named.append((one.name, AnyTensor(try Tensor(one.values, shape: one.shape))))
        }
        try TensorFile.write(named, metadata: metadata.merging(["chart": title]) { $1 }, to: path)
    }
}
