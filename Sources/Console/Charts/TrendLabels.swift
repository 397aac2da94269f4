/// Words and number formats of a trend chart.
public struct TrendLabels {
    /// Name of the curves; `nil` if no curve has been chosen yet.
    public var curve: String?
    /// Name of the companion curves; `nil` if there are none.
    public var companion: String?
    /// Events on the axis.
    public var marks: [TrendMark]
    /// Sentence shown if a curve was chosen but no subject has it.
    public var absence: String
    /// Formats a value of a curve.
    public var value: (Double) -> String
    /// Returns the name of a subject, for the table of several curves.
    public var name: (Trend.ID) -> String

    /// Creates the words of a chart.
    ///
    /// - Parameters:
    ///   - curve: Name of the curves; `nil` if no curve has been chosen yet.
    ///   - companion: Name of the companion curves; `nil` if there are none.
    ///   - marks: Events on the axis.
    ///   - absence: Sentence shown if a curve was chosen but no subject has it.
    ///   - value: Formats a value of a curve.
    ///   - name: Returns the name of a subject.
    public init(
        _ curve: String?, companion: String? = nil, marks: [TrendMark] = [], absence: String = "no such curve",
        value: @escaping (Double) -> String, name: @escaping (Trend.ID) -> String
    ) {
        self.curve = curve
        self.companion = companion
        self.marks = marks
        self.absence = absence
        self.value = value
        self.name = name
    }
}

/// An event on the axis of a trend chart.
public struct TrendMark {
    /// Axis position.
    public var x: Double
    /// Character of the mark; the theme decides whether it is Unicode or ASCII.
    public var glyph: KeyPath<Glyphs, Unicode.Scalar>
    /// Color of the mark.
    public var role: Role

    /// Creates a mark.
    public init(at x: Double, _ glyph: KeyPath<Glyphs, Unicode.Scalar>, _ role: Role) {
        self.x = x
        self.glyph = glyph
        self.role = role
    }
}

/// The unit of a trend chart's axis, such as steps, hours, or tokens.
public struct TrendUnit: Sendable {
    /// Name of the unit, drawn at the end of the axis.
    public var word: String
    /// Length of one unit on the axis, such as 3,600 for hours on an axis of seconds.
    public var factor: Double
    /// Formats an axis position with its unit, such as `step 914` or `3 h 05 m`.
    public var text: @Sendable (Double) -> String

    /// Creates a unit.
    public init(_ word: String, factor: Double = 1, text: @escaping @Sendable (Double) -> String) {
        self.word = word
        self.factor = factor
        self.text = text
    }
}
