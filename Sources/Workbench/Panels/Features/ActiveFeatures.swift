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
    /// What a full bar stands for: the greatest of the whole text, so that bars of different tokens compare.
    private(set) var full: Float = 0
    /// Activations that `full` is the greatest of, and whose they are.
    private var seen = 0
    private var run = 0
    var list = ListView()
    /// Known descriptions of features.
    var labels: [Int: Label] = [:]

    /// The description of a feature: its label, or the automatic one.
    struct Label: Hashable, Sendable {
        var text: String
        var isAutomatic: Bool
    }

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
        most = max(most, rows.count)
        list.count = rows.count
        list.select(rows.firstIndex { $0.feature == before } ?? 0)
    }

    func draw(
        into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool, shown: Int?, changes: FeatureChanges
    ) {
        let widest = rows.reduce(0) { max($0, labels[$1.feature].map { DisplayWidth.of($0.text) } ?? 0) }
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
            let label = labels[row.feature]
            put(label?.text ?? "", rest.columns, label?.isAutomatic == false ? .text : .dim, .left)
        }
    }
}
