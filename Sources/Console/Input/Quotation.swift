/// User input quoted for a message: control characters are escaped, and long text is shortened.
enum Quotation {
    static func of(_ text: String, limit: Int = 80) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars.prefix(limit) {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                quoted += Escape.text(of: scalar)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return text.unicodeScalars.count > limit ? quoted + "..." : quoted
    }
}
