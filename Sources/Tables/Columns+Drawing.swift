package import Console

extension Columns {
    private var table: Table {
        let sort = sort.flatMap { sort in
            columns.firstIndex { $0.layout.title == sort.title }.map {
                Table.Sort(column: $0, isAscending: sort.isAscending)
            }
        }
        return Table(columns.map(\.layout), sort: sort)
    }

    /// Titles of the columns that fit, with their positions in a row after the gutter.
    package var placed: [(title: String, columns: Range<Int>)] {
        table.layout(width: width - ListView.gutter - 1).map {
            (title: columns[$0.column].layout.title, columns: $0.offset..<($0.offset + $0.width))
        }
    }

    /// Draws rows as a list.
    package func draw(_ rows: [Row], _ list: ListView, into surface: inout Surface, in area: Rect, isFocused: Bool) {
        let table = table
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
