import JSON

/// Values from `Goldens/statistics.json`, which is written by `statistics_golden.py` in the same folder.
let goldens: Golden = {
    let folder = "\(#filePath)".split(separator: "/").dropLast().joined(separator: "/")
    return Golden("/\(folder)/Goldens/statistics.json") ?? Golden(value: .null)
}()
