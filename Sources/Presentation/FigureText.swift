internal import Formatting
public import KernelLab

/// Figures of kernels as text.
public enum FigureText {
    /// Returns a rate such as `218 GFLOP/s`, with `≥` for a bound and `~` for an estimate; a dot if it is missing.
    public static func rate(_ figure: Figure) -> String { text(figure) { Format.rate(operationsPerSecond: $0) } }

    /// Returns a figure with its sign: `≥`, `~`, or none; a dot if it is missing.
    public static func text(_ figure: Figure, _ format: (Double) -> String) -> String {
        figure.value.map { figure.sign + format($0) } ?? "·"
    }

    /// Returns the value of an estimate with its unit: `16.1 GB`, `302 ms`, `6 d 08 h`, `95.1 years`, `8.09e+22 FLOP`.
    public static func estimate(_ line: EstimateLine) -> String {
        switch line.unit {
        case "s" where line.value >= 31_557_600: "\(Format.compact(line.value / 31_557_600)) years"
        case "s": Format.time(seconds: line.value)
        case "B": Format.bytes(line.value)
        case "B/s": Format.bytes(line.value) + "/s"
        case "FLOP": Format.operations(line.value)
        case "FLOP/s": Format.rate(operationsPerSecond: line.value)
        default: "\(Format.compact(line.value)) \(line.unit)"
        }
    }

    /// Returns a kernel's name without its return type and parameters, such as `rms_norm<__nv_bfloat16>`.
    package static func shortName(_ name: String) -> String {
        let name = name.hasPrefix("void ") ? name.dropFirst("void ".count) : name[...]
        var depth = 0
        var before: Character = " "
        // Longer names do not fit on any screen.
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
