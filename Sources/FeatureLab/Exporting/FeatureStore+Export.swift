public import JSON
public import Tokenizers

extension FeatureStore {
    /// The features of a dictionary with density, maximum and label: a JSON array of objects, or a CSV table.
    public func exportList(
        of id: Int64, as format: ExportFormat, by order: FeatureOrder = .feature, descending: Bool = false
    ) throws -> String {
        let rows = try features(of: id, by: order, descending: descending, limit: .max)
        switch format {
        case .json:
            var json = JSONWriter(style: .pretty)
            json.array { json in
                for row in rows { row.write(to: &json) }
            }
            return json.text
        case .csv:
            var table = CSVTable()
            table.append(["feature", "count", "density", "maximum", "label"])
            for row in rows {
                table.append([
                    "\(row.feature)", row.count.map { "\($0)" }, row.density.map { "\($0)" },
                    row.maximum.map { "\($0)" }, row.label,
                ])
            }
            return table.text
        }
    }

    /// The dashboard of a feature: a JSON object, or a CSV table with a row for each token of each example.
    ///
    /// - Parameter text: Returns the text of a token.
    public func exportDashboard(
        of id: Int64, feature: Int, as format: ExportFormat, text: (TokenID) -> String = { "\($0)" }
    ) throws -> String {
        let dashboard = try dashboard(of: id, feature: feature)
        switch format {
        case .json:
            var json = JSONWriter(style: .pretty)
            dashboard.write(to: &json, text: text)
            return json.text
        case .csv: return dashboard.table(text)
        }
    }
}

extension FeatureRow: JSONRepresentable {
    /// The row as a JSON object; what is not known of it is left out.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("feature", feature)
            json.member("count", ifPresent: count)
            json.member("density", ifPresent: density)
            json.member("maximum", ifPresent: maximum)
            json.member("label", ifPresent: label)
            json.member("words", ifPresent: words)
            json.member("score", ifPresent: score)
            json.member("position", ifPresent: position)
        }
    }
}
