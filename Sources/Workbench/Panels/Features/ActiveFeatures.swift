internal import Console
internal import FeatureLab
internal import Formatting
internal import Interpretability

/// The features that are active at the cursor of the text, strongest first.
struct ActiveFeatures: Sendable {
    struct Row: Hashable, Sendable {
        var feature: Int
        var value: Float
    }

    private(set) var rows: [Row] = []
    /// The largest number of rows of any token, so the pane keeps its height while the cursor moves.
    private(set) var most = 0
    /// Activation of a full bar: the largest of the whole text, so that bars of different tokens are comparable.
    private(set) var full: Float = 0
    /// Number of activations in `full`, and their run.
    private var seen = 0
    private var run = 0
    var list = ListView()
    /// Listed features, by number, for their descriptions.
    var known: [Int: FeatureRow] = [:]

    var selected: Row? { rows.indices.contains(list.selection) ? rows[list.selection] : nil }
    var total: Double { rows.reduce(0) { $0 + Double($1.value) } }

    /// Shows the features of a token. The cursor stays on its feature if that is active there.
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
        most = max(most, rows.count)
        list.count = rows.count
        list.select(rows.firstIndex { $0.feature == before } ?? 0)
    }

    /// Returns the label of a feature, or the automatic description.
    private func description(of feature: Int) -> String? { known[feature].flatMap { $0.label ?? $0.words } }

    func draw(
        into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool, shown: Int?, changes: FeatureChanges
    ) {
        let widest = rows.reduce(0) { max($0, DisplayWidth.of(description(of: $1.feature) ?? "")) }
        let digits = rows.reduce(1) { max($0, String($1.feature).utf8.count) }
        list.draw(into: &surface, in: area, theme: theme, isFocused: isFocused) { surface, line in
            let row = rows[line.index]
            var rest = line.area
            func put(_ text: String, _ columns: Int, _ role: Role, _ alignment: Alignment = .right) {
                let part = rest.takeLeft(min(columns, rest.columns))
                surface.put(
                    text, at: part.origin, style: line.style(role, theme), width: part.columns, aligned: alignment)
            }
            if !changes.isEmpty { put(changes.sign(of: row.feature, theme.glyphs), 2, .warning, .left) }
            put("\(row.feature)", digits, row.feature == shown ? .accent : .text)
            put(Format.fixed(Double(row.value), digits: 2), 8, .text)
            _ = rest.takeLeft(min(2, rest.columns))
            // Labels take the width they need as long as bars stay readable; bars take the rest.
            let words = widest == 0 || rest.columns < 20 ? 0 : min(widest + 2, rest.columns - 6)
            let bar = rest.takeLeft(rest.columns - words)
            if full > 0 {
                surface.putBar(
                    length: Double(row.value / full) * Double(bar.columns), in: bar, role: .series1, shape: .airy,
                    theme: theme,
                    over: line.style(.text, theme))
            }
            _ = rest.takeLeft(min(2, rest.columns))
            let isLabeled = known[row.feature]?.label != nil
            put(description(of: row.feature) ?? "", rest.columns, isLabeled ? .text : .dim, .left)
        }
    }
}
