extension ShadedTokens {
    /// Draws the visible lines.
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool = true) {
        guard !area.isEmpty else { return }
        let palette = HeatPalette(theme)
        for line in 0..<area.rows where rows.indices.contains(top + line) {
            for fragment in rows[top + line] {
                surface.put(
                    fragment.text, at: Point(column: area.column + fragment.column, row: area.row + line),
                    style: style(of: fragment.token, palette, theme, isFocused),
                    width: max(0, area.columns - fragment.column))
            }
        }
    }

    private func value(_ token: Int) -> Float { values.indices.contains(token) ? values[token] : .nan }

    private func style(of token: Int, _ palette: HeatPalette, _ theme: Theme, _ isFocused: Bool) -> Style {
        var style = palette.textStyle(of: value(token), on: scale, theme: theme)
        if marked?.contains(token) == true { style = style.adding(.underline) }
        if isMatch(token) { style = theme[.match] }
        guard token == cursor else { return style }
        return isFocused ? theme[.matchCurrent] : style.adding(.reverse)
    }

    private func isMatch(_ token: Int) -> Bool {
        var (low, high) = (0, matches.count)
        while low < high {
            let middle = (low + high) / 2
            if matches[middle].upperBound <= token { low = middle + 1 } else { high = middle }
        }
        return low < matches.count && matches[low].contains(token)
    }
}
