package import Console

extension Columns {
    /// Draws rows as a list.
    package func draw(_ rows: [Row], _ list: ListView, into surface: inout Surface, in area: Rect, isFocused: Bool) {
        let table = Table(columns.map(\.layout))
        table.draw(list, into: &surface, in: area, theme: theme, isFocused: isFocused) { row, column in
            if case .text(let cell) = columns[column].cell { cell(rows[row]) } else { .init("") }
        }
        let body = table.rowsArea(in: area)
        for placed in table.layout(width: area.columns - ListView.gutter - 1) {
            guard case .drawn(let draw) = columns[placed.column].cell else { continue }
            for index in list.visible where index - list.top < body.rows {
                let cell = Rect(
                    column: area.column + ListView.gutter + placed.offset, row: body.row + index - list.top,
                    columns: placed.width, rows: 1)
                let state: RowState = index != list.selection ? .plain : isFocused ? .selected : .selectedInactive
                draw(rows[index], &surface, cell, state)
            }
        }
    }
}
