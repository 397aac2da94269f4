/// Whether a row has the cursor, and whether its pane has the keys.
public enum RowLook: Hashable, Sendable {
    case plain
    case selected
    /// Selected in a pane that does not have the keys.
    case selectedInactive
}

extension Theme {
    /// How a role looks in a row: over the selection's background, and where it would be too faint there, in the
    /// selection's own foreground. A role with a background of its own, such as a match, keeps it.
    public func style(_ role: Role, in look: RowLook) -> Style {
        switch look {
        case .plain: self[role]
        case .selected: style(role, over: self[.selection])
        case .selectedInactive: style(role, over: self[.selectionInactive])
        }
    }

    /// The style of a role inside a search match: `match` or `matchCurrent`, never dimmed.
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
        // Fills keep their dimming, because two categories may differ only by it.
        default: if !role.isFill { style.attributes.subtract(.dim) }
        }
        if selection.background != .terminal, style.background == .terminal {
            style.background = selection.background
        }
        // A full block in reverse would be a hole.
        style.attributes.formUnion(role.isFill ? selection.attributes.subtracting(.reverse) : selection.attributes)
        return style
    }
}
