internal import Glibc

/// Environment variables of the process, without Foundation.
package enum Environment {
    package static subscript(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Whether COLORFGBG, which rxvt and Konsole set to "foreground;background", indicates a dark background.
    package static var colorFGBG: Bool? {
        guard let value = Environment["COLORFGBG"] else { return nil }
        return isDark(colorFGBG: value)
    }

    /// Returns whether a value of COLORFGBG indicates a dark background; `nil` if the value is invalid.
    package static func isDark(colorFGBG value: String) -> Bool? {
        guard let last = value.split(separator: ";").last, let index = Int(last), (0...15).contains(index) else {
            return nil
        }
        return index < 7 || index == 8
    }
}
