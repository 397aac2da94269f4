import CommandSupport
import Console
import FeatureLab
import Formatting
import JSON

/// A list of features, as text and JSON.
struct FeatureRows: JSONRepresentable {
    var rows: [FeatureRow]
    /// Text for an empty list.
    var nothing = "no matching features"
    /// Notes for the user.
    var notes: [String] = []
    /// Whether a row without a score was never active on the indexed texts.
    var isByShare = false

    init(rows: [FeatureRow]) { self.rows = rows }

    var table: String {
        guard !rows.isEmpty else { return nothing }
        var table = TextTable(["feature", "density", "max", "score", "at", "label"], rightAligned: [0, 1, 2, 3, 4])
        for row in rows {
            table.add([
                "\(row.feature)", row.density.map { Format.probability($0) } ?? "",
                row.maximum.map { Format.fixed($0, digits: 2) } ?? "",
                row.score.map { Format.fixed($0, digits: 3) } ?? (isByShare ? "beyond" : ""),
                row.position.map { "\($0)" } ?? "",
                row.label ?? row.words.map { "\($0) (automatic)" } ?? "",
            ])
        }
        return table.text
    }

    func write(to json: inout JSONWriter) { json.object { $0.member("features", rows) } }
}
