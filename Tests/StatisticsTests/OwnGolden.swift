import JSON

/// Values of `Goldens/statistics.json`, written by `statistics_golden.py` in the same folder.
let goldens: Golden = {
    let folder = "\(#filePath)".split(separator: "/").dropLast().joined(separator: "/")
    return Golden("/\(folder)/Goldens/statistics.json") ?? Golden(value: .null)
}()
