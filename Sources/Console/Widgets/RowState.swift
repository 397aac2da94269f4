/// States of a row, by selection and keyboard focus.
public enum RowState: Hashable, Sendable {
    /// Not selected.
    case plain
    /// Selected in the pane that has the keyboard focus.
    case selected
    /// Selected in a pane without the keyboard focus.
    case selectedInactive
}

extension Theme {
    /// Returns the style of a role in a row.
    ///
    /// A selected row has the selection's background, and roles too faint for it have the selection's foreground. A
    /// role with its own background, such as a match, keeps it.
    public func style(_ role: Role, in state: RowState) -> Style {
        switch state {
        case .plain: self[role]
        case .selected: style(role, over: self[.selection])
        case .selectedInactive: style(role, over: self[.selectionInactive])
        }
    }

    /// Returns the style of a role inside a search match, which is never dim.
    ///
    /// - Parameter match: `match` or `matchCurrent`.
    public func style(_ role: Role, found match: Role) -> Style {
        var style = self[role].overlaid(with: self[match])
        style.attributes.subtract(.dim)
        return style
    }

    private func style(_ role: Role, over selection: Style) -> Style {
        var style = self[role]
        switch role {
        case .text, .strong, .dim, .faint, .footer, .comment, .columnHeader, .tabInactive, .punctuation, .quote, .shade,
            .gaugeBack:
            if selection.foreground != .terminal || selection.attributes.contains(.reverse) {
                style.foreground = selection.foreground
            }
            style.attributes.subtract(.dim)
        // Fills stay dim, because dimness may be the only difference between two categories.
        default: if !role.isFill { style.attributes.subtract(.dim) }
        }
        if selection.background != .terminal, style.background == .terminal {
            style.background = selection.background
        }
        // A full block with reversed colors would be invisible.
        style.attributes.formUnion(role.isFill ? selection.attributes.subtracting(.reverse) : selection.attributes)
        return style
    }
}
