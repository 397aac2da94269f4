internal import Console
internal import FeatureLab
internal import Interpretability

/// The features that are active at the cursor of the text, strongest first.
struct ActiveFeatures: Sendable {
    struct Row: Hashable, Sendable {
        var feature: Int
        var value: Float
    }

    private(set) var rows: [Row] = []
    /// What a full bar stands for: the greatest of the whole text, so that bars of different tokens compare.
    private(set) var full: Float = 0
    /// Activations that `full` is the greatest of, and whose they are.
    private var seen = 0
    private var run = 0
    var list = ListView()
    /// Labels that are known.
    var labels: [Int: String] = [:]

    var selected: Row? { rows.indices.contains(list.selection) ? rows[list.selection] : nil }
    var total: Double { rows.reduce(0) { $0 + Double($1.value) } }

    /// The list of a token; the cursor stays on its feature where that is active here too.
    mutating func show(_ side: SteeringReading.Side?, token: Int) {
        let before = selected?.feature
        if side?.run != run { (run, seen, full) = (side?.run ?? 0, 0, 0) }
        rows = []
        if let codes = side?.features {
            full = codes.values[min(seen, codes.values.count)...].reduce(full, max)
            seen = codes.values.count
            if token < codes.rows {
                rows = codes[token].map { Row(feature: Int($0), value: $1) }
                    .sorted { ($0.value, $1.feature) > ($1.value, $0.feature) }
            }
        }
        list.count = rows.count
        list.select(rows.firstIndex { $0.feature == before } ?? 0)
    }

    func draw(
        into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool, shown: Int?, changes: FeatureChanges
    ) {
        let hasLabels = rows.contains { labels[$0.feature] != nil }
        list.draw(into: &surface, in: area, theme: theme, isFocused: isFocused) { surface, line in
            let row = rows[line.index]
            var rest = line.area
            func put(_ text: String, _ columns: Int, _ role: Role, _ alignment: Alignment = .right) {
                let part = rest.takeLeft(min(columns, rest.columns))
                surface.put(
                    text, at: part.origin, style: line.style(role, theme), width: part.columns, aligned: alignment)
            }
            put(changes.sign(of: row.feature, theme.glyphs), 2, .warning, .left)
            put("\(row.feature)", 6, row.feature == shown ? .accent : .text)
            put(FeatureFigure.activation(row.value), 8, .text)
            _ = rest.takeLeft(min(2, rest.columns))
            let bar = rest.takeLeft(hasLabels && rest.columns >= 24 ? rest.columns / 2 : rest.columns)
            if full > 0 {
                surface.putBar(
                    length: Double(row.value / full) * Double(bar.columns), in: bar, role: .series1, shape: .airy,
                    theme: theme,
                    over: line.style(.text, theme))
            }
            _ = rest.takeLeft(min(2, rest.columns))
            put(labels[row.feature] ?? "", rest.columns, .dim, .left)
        }
    }
}
