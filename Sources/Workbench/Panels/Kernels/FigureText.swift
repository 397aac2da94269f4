internal import Console
public import KernelLab

/// Figures of kernels as text.
public enum FigureText {
    /// `218 GFLOP/s`; with `≥` or `~` where it is a bound or an estimate, a dot where it is missing.
    public static func rate(_ figure: Figure) -> String { text(figure) { rate($0) } }

    /// A figure with the sign of its quality.
    public static func text(_ figure: Figure, _ format: (Double) -> String) -> String {
        figure.value.map { figure.sign + format($0) } ?? "·"
    }

    /// `218 GFLOP/s`, `980 GOP/s`.
    public static func rate(_ perSecond: Double, isFloatingPoint: Bool = true) -> String {
        let operation = isFloatingPoint ? "FLOP" : "OP"
        guard perSecond > 0 else { return "0 \(operation)/s" }
        let (factor, prefix) = perSecond >= 0.9995e12 ? (1e12, "T") : perSecond >= 0.9995e9 ? (1e9, "G") : (1e6, "M")
        return "\(AxisLabel.text(perSecond / factor)) \(prefix)\(operation)/s"
    }

    /// `268 GFLOP`.
    static func count(_ operations: Double, isFloatingPoint: Bool = true) -> String {
        let operation = isFloatingPoint ? "FLOP" : "OP"
        let number = AxisLabel.text(operations)
        guard let prefix = number.last, "kMGT".contains(prefix) else { return "\(number) \(operation)" }
        return "\(number.dropLast()) \(prefix)\(operation)"
    }

    /// `274 MB`, of any number that a file may hold.
    static func bytes(_ bytes: Double) -> String {
        bytes.isFinite && bytes.magnitude < 9e18 ? Format.bytes(Int(bytes)) : AxisLabel.text(bytes) + " B"
    }

    /// `442 µs`: three figures, since times of launches are compared with each other.
    public static func time(_ seconds: Double) -> String { Format.time(seconds: seconds) }

    /// The value of an estimate with its unit: `16.1 GB`, `302 ms`, `6 d 08 h`, `95.1 years`, `8.09e+22 FLOP`.
    public static func estimate(_ line: EstimateLine) -> String {
        switch line.unit {
        case "s" where line.value >= 31_557_600: "\(AxisLabel.text(line.value / 31_557_600)) years"
        case "s": time(line.value)
        case "B": bytes(line.value)
        case "B/s": bytes(line.value) + "/s"
        case "FLOP": count(line.value)
        case "FLOP/s": rate(line.value)
        default: "\(AxisLabel.text(line.value)) \(line.unit)"
        }
    }

    /// A kernel's name without what every name begins with, and without its parameters: `rms_norm<__nv_bfloat16>`.
    static func shortName(_ name: String) -> String {
        let name = name.hasPrefix("void ") ? name.dropFirst("void ".count) : name[...]
        var depth = 0
        var before: Character = " "
        // What no screen shows need not be looked at.
        for index in name.indices.prefix(1_024) {
            let character = name[index]
            switch character {
            case "<": depth += 1
            case ">": depth -= 1
            case "(" where depth == 0 && (before.isLetter || before.isNumber || before == "_" || before == ">"):
                return String(name[..<index])
            default: break
            }
            before = character
        }
        return String(name)
    }
}
