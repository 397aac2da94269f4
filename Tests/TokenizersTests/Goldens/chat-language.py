"""Small templates over every statement, filter, test and method, and what Jinja makes of them.

Writes chat-language.json: {"variables": {...}, "cases": [[template, output or null where rendering fails], ...]}.
"""

import importlib
import json
import pathlib

environment = importlib.import_module("chat-environment")

VARIABLES = {
    "s": "Hello, World",
    "t": "  padded\ttext \n",
    "u": "Straße ΌΣΟΣ ǆ ﬁ 日本 👩‍🚀 e\u0301 É",
    "html": "<a href='x'>\"q\" & more</a>",
    "lines": "one\ntwo\r\nthree\n\nfour\u2028five",
    "empty": "",
    "n": 7,
    "z": 0,
    "neg": -17,
    "big": 2**63 - 1,
    "huge": 10**25,
    "f": 3.14159,
    "half": 2.5,
    "nothing": None,
    "yes": True,
    "no": False,
    "xs": [3, 1, 2],
    "words": ["pear", "Apple", "fig", "apple", "Fig"],
    "mixed": [1, "a", None, 2.5, True, [1], {"k": "v"}],
    "nested": [[1, 2], [3, [4, 5]]],
    "d": {"b": 2, "a": 1, "C": 3},
    "tricky": {"items": 1, "get": 2, "keys": 3, "x y": 4, "": 5, "role": "user"},
    "people": [
        {"name": "Ada", "age": 36, "tags": ["math"], "home": {"city": "London"}},
        {"name": "bob", "age": 17, "tags": [], "home": {"city": "Paris"}},
        {"name": "Cy", "age": 36, "tags": ["x", "y"]},
    ],
    "strange": "tab\t nl\n quote' dquote\" back\\ bell\x07 nbsp\u00a0 zwsp\u200b del\x7f \U0001f600",
}

EXPRESSIONS = """
1 | 1.0 | -0.0 | 1e16 | 1e15 | 123456789012345680.0 | 1e-4 | 1e-5 | 1.5e300 | 0.1 + 0.2 | 1_000 | 0x1F | 0o17 | 0b101 | 00 | 1_0.5 | 1e5
true | True | none | None | false | [] | {} | () | (1,) | (1, 2) | [1, 'a', none, 1.5, true] | {'a': 1, 2: 'b', none: true} | {'a': {'b': [1, (2, 3)]}}
'a' 'b' "c" | 'it\\'s' | "q\\"q" | 'a\\nb' | '\\x41\\u00e9\\U0001F600' | '\\d\\q' | '\\101' | 'tab\\there' | "\\\\" | 'a\\
b'
s.undefined_attribute | undefined_name | undefined_name.x | undefined_name['x'] | undefined_name() | d.missing | d['missing'] | d.missing.deeper
xs[0] | xs[-1] | xs[5] | xs[-5] | xs[1:] | xs[:1] | xs[::-1] | xs[::2] | xs[-2:] | xs[5:] | xs[:-1] | xs[2:0:-1] | xs[::0] | s[0] | s[-1] | s[99] | s[1:4] | s[::-1] | s[::3] | s[-3:] | u[0:6] | u[::-1] | s['x'] | xs['x'] | xs[true] | xs[1.0] | xs[none:2] | xs['a':]
(1, 2, 3)[1:] | (1, 2)[0] | range(10)[2:5] | range(10)[3] | range(10)[::-2] | d[0:1] | nothing[0] | nothing.x | nothing[1:] | n[0] | n.x | xs.0 | nested.1.0 | people.0.name | people[0]['home'].city | people[2].home.city
1 + 2 | 1 - 2 | 2 * 3 | 7 / 2 | 6 / 2 | 7 // 2 | -7 // 2 | 7 % 3 | -7 % 3 | 7 % -3 | 2 ** 10 | 2 ** -1 | 2 ** 3 ** 2 | -2 ** 2 | 7.5 // 2 | -7.5 % 2 | 7.5 % -2 | 1 / 0 | 1 // 0 | 1 % 0 | 1.0 / 0 | 0 ** -1 | 2 ** 0.5 | 10.0 ** 400
1 + 1.5 | true + 1 | true * 3 | -true | +true | - -1 | -s | -nothing | +'a' | -undefined_name
'a' + 'b' | 'a' + 1 | 1 + 'a' | 'ab' * 3 | 3 * 'ab' | 'a' * -1 | 'a' * 'b' | [1] + [2] | [1] * 2 | 2 * [1, 2] | (1,) + (2,) | (1,) * 2 | [1] + (2,) | 'a' - 'b' | {} + {} | none + 1 | undefined_name + 'x' | 'x' + undefined_name | 'x' ~ undefined_name ~ 1 | 1 ~ 2 | 'a' ~ none ~ true ~ 1.0 ~ [1]
1 == 1.0 | 1 == true | '1' == 1 | [1] == [1.0] | (1,) == [1] | {'a': 1, 'b': 2} == {'b': 2, 'a': 1} | none == none | none == false | undefined_name == other_undefined | undefined_name == none | 1 != 2 | 'a' != 'a'
1 < 2 < 3 | 1 < 3 < 2 | 3 > 2 > 1 | 1 < 2 > 0 == 0 | 'a' < 'b' | 'B' < 'a' | [1, 2] < [1, 3] | [1] < [1, 2] | (1, 2) <= (1, 2) | 1 < 'a' | none < 1 | undefined_name < 1 | {} < {} | 1 <= 1.0 | 2 >= 2.5 | 'é' > 'z' | [1, 'a'] < [1, 2] | [2, 'a'] < [3, 2]
1 in [1, 2] | 'a' in 'abc' | '' in '' | 'x' in 'abc' | 'a' in d | 'z' in d | 1 in '123' | 1 in none | 1 in 5 | 1 not in [1] | 'b' not in 'abc' | [1] in [[1]] | true in [1] | 'a' in undefined_name | none in [none] | [1] in d | 5 in range(10) | (1, 2) in [(1, 2)] | undefined_name in [1] | not 1 in [1] | 'k' in mixed[6]
1 and 2 | 0 and 2 | 0 or 'x' | '' or none | 1 or 2 | not 1 | not '' | not not 'a' | none and 1 | [] or {} | not undefined_name | undefined_name or 'd' | undefined_name and 1 | 1 and 2 or 3 | 0 or not 0 and 5
'a' if true else 'b' | 'a' if false else 'b' | 'a' if false | ('a' if false) is defined | 1 if 0 else 2 if 0 else 3 | 'x' if undefined_name else 'y' | (1 if true) + 1 | 1 if true if false else 2
n is defined | nope is defined | nope is not defined | nope is undefined | nothing is none | n is none | n is not none | d.missing is defined | s is string | n is string | u is string | n is number | f is number | yes is number | s is number | n is integer | f is integer | yes is integer | f is float | n is float | huge is integer | huge is number | yes is boolean | n is boolean | yes is true | n is true | no is false | z is false | d is mapping | xs is mapping | xs is sequence | s is sequence | d is sequence | n is sequence | nope is sequence | (1,) is sequence | xs is iterable | s is iterable | d is iterable | n is iterable | nope is iterable | nothing is iterable | range is callable | s is callable | s.upper is callable | range(3) is sequence | range(3) is iterable | xs|map('string') is iterable | xs|map('string') is sequence
n is odd | n is even | z is even | f is odd | s is odd | nope is odd | n is divisibleby 7 | n is divisibleby(3) | n is divisibleby 0 | yes is odd | n is eq 7 | n is equalto 7 | n is == 7 | n is ne 7 | n is lt 8 | n is gt 8 | n is le 7 | n is ge 8 | n is lessthan 8 | n is greaterthan(6) | n is in [7] | 'a' is in 'abc' | n is in 5 | nothing is sameas none | n is sameas 7 | n is sameas 7.0 | yes is sameas true | xs is sameas xs | xs is sameas [3, 1, 2] | 'abc' is lower | 'Abc' is lower | 'ABC1' is upper | '123' is upper | 12 is lower | 'upper' is filter | 'nope' is filter | 'odd' is test | 'nope' is test | n is nope | s is escaped | s|safe is escaped | xs is eq [3, 1, 2] | n is not odd | not n is odd | n is number and s is string | 'x' if n is odd else 'y' | n is eq 7 and n is odd
s|upper | s|lower | s|title | s|capitalize | u|upper | u|lower | u|title | u|capitalize | 'hello-world (foo) [bar] x<y {z'|title | n|upper | none|upper | nope|upper | xs|upper | "they're bill's" |title | 'ABC def'|capitalize | ''|capitalize | ''|title
t|trim | t|trim('x') | 'xxaxx'|trim('x') | 'abcba'|trim('ab') | t|trim(none) | n|trim | none|trim | nope|trim | xs|trim | '\u3000a\u00a0'|trim | 'x\u200b '|trim
s|length | u|length | xs|length | d|length | n|length | none|length | nope|length | s|count | range(5)|length | (1, 2)|length | d.keys()|length | xs|map('string')|length | ''|length
s|replace('l', 'L') | s|replace('l', 'L', 1) | s|replace('l', 'L', 0) | s|replace('l', 'L', -1) | s|replace('', '-') | s|replace('', '-', 3) | 'aaa'|replace('aa', 'b') | s|replace('zz', 'x') | 121|replace(1, 'x') | s|replace(old='l', new='1') | s|replace('l') | none|replace('N', 'n') | ''|replace('', 'x') | 'aaaaargh'|replace('a', "d'oh, ", 2)
s|first | s|last | xs|first | xs|last | []|first | []|last | ''|first | d|first | d|last | nope|first | nope|last | n|first | range(5)|last | []|first is defined | xs|map('string')|first | xs|map('string')|last | xs|reverse|first
s|list | xs|list | d|list | (1, 2)|list | range(3)|list | n|list | none|list | nope|list | '日本'|list | d.items()|list | d.values()|list | d|items|list | nope|items|list | xs|items|list | {'a': 1}|items|first
xs|join | xs|join(', ') | words|join('-') | mixed|join('|') | d|join(',') | s|join('.') | people|join(', ', attribute='name') | people|join(',', 'age') | n|join | nope|join(',') | xs|join(1) | []|join('x') | xs|join(d='/') | people|join(',', attribute='home.city')
nope|default('x') | nope|d('x') | ''|default('x') | ''|default('x', true) | none|default('x') | none|default('x', boolean=true) | 0|d('x', true) | nope|default | d.missing|default(d.a) | nope.x|default('y') | n|default('x') | false|default(true, false) | nope|default(default_value=3)
s|tojson | strange|tojson | u|tojson | n|tojson | f|tojson | none|tojson | true|tojson | xs|tojson | d|tojson | mixed|tojson | nested|tojson | people|tojson | people|tojson(indent=2) | d|tojson(indent=4) | []|tojson(indent=2) | {}|tojson(indent=2) | nested|tojson(indent=0) | d|tojson(indent='--') | d|tojson(sort_keys=true) | d|tojson(separators=(',', ':')) | d|tojson(separators=(',', ': '), indent=1) | u|tojson(ensure_ascii=true) | strange|tojson(true) | huge|tojson | big|tojson | 1e16|tojson | 1.0|tojson | (1, 2)|tojson | nope|tojson | range(3)|tojson | {1: 2, none: 3, true: 4, 1.5: 5}|tojson | {(1, 2): 3}|tojson | d.items()|tojson | html|tojson | html|safe|tojson | '/'|tojson | d|tojson(indent=none) | {'b': 1, 'a': {'d': 1, 'c': 2}}|tojson(sort_keys=true, indent=2) | {1: 2, 'a': 3}|tojson(sort_keys=true) | d|tojson(nope=1) | xs|tojson(indent=true) | xs|map('string')|tojson | namespace(a=1)|tojson
s|string | n|string | f|string | none|string | xs|string | mixed|string | strange|string | [strange] | d|string | people|string | nested|string | (1,)|string | nope|string | [nope] | true|string | [s, u] | ["it's", 'q"q', 'b\\'o"th'] | ['\\u200b\\x00\\x7f\\u2028\\ud7ff\\U000e0001é'] | [1.0, 1e16, -0.0] | huge | big | [huge] | {'k': 'v'}|string|length
'42'|int | '42.9'|int | 'x'|int | 'x'|int(5) | 'x'|int(default=6) | '0x1F'|int(base=16) | '1F'|int(base=16) | '101'|int(0, 2) | 3.99|int | -3.99|int | true|int | none|int | none|int(7) | xs|int | nope|int | ' 12 '|int | '1_000'|int | '-5'|int | '+5'|int | '1e3'|int | ''|int | '0b11'|int(base=0) | huge|int | '12abc'|int | 'ff'|int(base=16) | 'inf'|int | '٣'|int
'42'|float | '4.5'|float | 'x'|float | 'x'|float(1.5) | 3|float | none|float | nope|float | '1e3'|float | 'inf'|float | ' 2 '|float | '.5'|float | '5.'|float | 'nan'|float | '-inf'|float | true|float | '1_0.5'|float | '1__0'|float | '0x1p3'|float
-3|abs | 3.5|abs | neg|abs | 'a'|abs | true|abs | none|abs | nope|abs | -0.0|abs | (-3)|abs
2.5|round | 3.5|round | 2.675|round(2) | 42.55|round(1, 'floor') | 42.55|round(1, 'ceil') | 42.5|round(0, 'common') | 7|round | 1234|round(-2) | 1250|round(-2) | 1350|round(-2) | -1250|round(-2) | f|round(3) | f|round(precision=1) | 's'|round | 2.5|round(0, 'nope') | true|round | 1e20|round | 12345.678|round(-2) | 7|round(2) | f|round(1, 'floor') | 7|round(0, 'ceil')
words|sort | words|sort(reverse=true) | words|sort(case_sensitive=true) | xs|sort | xs|sort(true) | mixed|sort | people|sort(attribute='age')|map(attribute='name')|list | people|sort(attribute='age,name')|map(attribute='name')|list | people|sort(reverse=true, attribute='age')|map(attribute='name')|list | d|sort | 'hello'|sort | nope|sort | [none, 1]|sort | nested|sort | []|sort
d|dictsort | d|dictsort(true) | d|dictsort(false, 'value') | d|dictsort(reverse=true) | d|dictsort(by='nope') | xs|dictsort | {}|dictsort | d|dictsort(by='value', reverse=true) | nope|dictsort
xs|reverse|list | s|reverse | d|reverse|list | n|reverse | u[:6]|reverse | xs|map('string')|reverse|list | nope|reverse|list
words|unique|list | words|unique(true)|list | [1, 1.0, true, '1']|unique|list | people|unique(attribute='age')|map(attribute='name')|list | mixed|unique|list | 'hello'|unique|join | []|unique|list | nope|unique|list
xs|min | xs|max | words|min | words|max | words|max(true) | words|min(case_sensitive=true) | []|min | []|max is defined | people|max(attribute='age') | people|min(attribute='name') | mixed|max | nope|max | d|max | 'hello'|min
xs|sum | people|sum(attribute='age') | people|sum('age') | xs|sum(start=10) | []|sum | [1.5, 2]|sum | ['a']|sum | [[1], [2]]|sum(start=[]) | words|sum(start='') | nope|sum | people|sum(attribute='nope')
xs|map('string')|list | xs|map('float')|join(' ') | words|map('upper')|list | words|map('replace', 'p', 'P')|list | people|map(attribute='name')|list | people|map(attribute='home.city')|list | people|map(attribute='home.city', default='none')|list | people|map(attribute='zip', default='?')|list | people|map(attribute='tags.0')|list | nested|map(attribute=0)|list | nested|map('first')|list | nested|map('sum')|list | xs|map|list | xs|map('nope')|list | nope|map('upper')|list | []|map('nope')|list | people|map('attr', 'x')|list | xs|map('tojson')|join(';') | xs|map('round', 1)|list | people|map(attribute='name')|map('lower')|join(',')
xs|select|list | xs|select('odd')|list | xs|select('gt', 1)|list | mixed|select('string')|list | mixed|reject('string')|list | xs|reject('odd')|list | mixed|select|list | mixed|reject|list | people|selectattr('age', 'gt', 20)|map(attribute='name')|list | people|selectattr('tags')|map(attribute='name')|list | people|rejectattr('tags')|map(attribute='name')|list | people|selectattr('home', 'defined')|list|length | people|selectattr('home.city', 'equalto', 'Paris')|map(attribute='name')|list | people|selectattr('name', 'in', ['Ada', 'Cy'])|list|length | people|rejectattr('age', 'eq', 36)|list | people|selectattr|list | xs|select('nope')|list | nope|select|list | xs|selectattr('x')|list | words|select('upper')|list | words|select('eq', 'fig')|first
lines|indent | lines|indent(2) | lines|indent(2, true) | lines|indent(2, false, true) | lines|indent('> ') | lines|indent(width='--', first=true, blank=true) | ''|indent | 'a'|indent(4, true) | n|indent | 'a\\n'|indent(2) | 'a\\n\\nb\\n\\n'|indent(2) | 'a\\n\\nb\\n\\n'|indent(2, blank=true) | 'a'|indent(-1)
html|e | html|escape | html|safe | html|escape|escape | html|forceescape | (html|safe)|forceescape | (html|e) + '<' | '<' + (html|safe) | (html|safe) ~ '<' | n|e | none|escape | html|e|upper | html|safe|replace('<', '>') | html|safe|length | [html|safe] | (html|safe) * 2 | ('<%s>'|safe) % '<x>' | ('<%s>'|safe)|format('<x>') | (html|safe)[:3] + '<' | (html|e).strip() + '<' | nope|e
'%s-%d'|format('a', 5) | '%(x)s'|format(x=1) | '%5d|%-5d|%05d|%+d'|format(1, 2, 3, 4) | '%.2f'|format(3.14159) | '%e'|format(12345.678) | '%g'|format(0.0001) | '%x %X %o'|format(255, 255, 8) | '%r'|format('a') | '%%'|format() | '%s'|format | '%s'|format(1, 2) | '%d'|format('x') | '%s %s' % (1, 2) | '%s' % 'x' | '%s' % [1] | '%10s|%-10s|%.2s' % ('ab', 'cd', 'efg') | '%c' % 'x' | '%c' % 65 | '%*d' % (5, 42) | '%d' % 3.99 | '%i' % true | '%(a)s %(b)s' % d | '%s' % none | '%5.1f|%-8.3f|' % (2.25, 1.5) | '% d' % 5 | '%#x' % 255 | '%q' % 1 | '%' % 1 | '100%' % () | '%s' % (1,) | '%s' % d | '%s' % undefined_name | 'x' % 1 | '%f' % 1e10
xs|batch(2)|list | xs|batch(2, 'x')|list | xs|batch(5, 0)|list | []|batch(2)|list | s|batch(5)|map('join')|list | xs|slice(2)|list | xs|slice(2, 'x')|list | range(7)|slice(3)|list | xs|batch|list | xs|slice(5)|list
people|groupby('age')|map('first')|list | people|groupby('age')|map('last')|map('length')|list | people|groupby('nope', default='d')|map(attribute='grouper')|list | people|groupby('name')|map(attribute='list')|map('length')|list | words|groupby('0')|map(attribute='grouper')|list | people|groupby('age')|first|first
s|truncate(5) | s|truncate(5, true) | s|truncate(5, true, '') | s|truncate(8, leeway=0) | s|truncate(100) | 'foo bar baz qux'|truncate(9, false, '...', 0) | s|center(20) | s|center | 'a b_c  d1'|wordcount | u|wordcount | s|truncate(1)
d|attr('a') | s|attr('upper') is callable | d|attr('nope') is defined | d|attr('items') is callable | s|nope | s|upper|lower|title|length | n|string|length + 1 | (s|length - 1) * 2 | s|length == 12 and n|string == '7' | -n|abs | -f|round(1) | n + 1|string if false else 'ok'
s.strip() | t.strip() | t.lstrip() | t.rstrip() | t.strip(' ') | 'xxaxx'.strip('x') | 'abc'.lstrip('ab') | 'abc'.rstrip('cb') | t.strip(none) | 'x'.strip(1) | '  '.strip()
s.split() | s.split(',') | s.split(', ', 1) | 'a,b,c'.split(',', 1) | 'a,b,c'.split(',', maxsplit=1) | 'a,b,c'.rsplit(',', 1) | 'a b  c '.split(none, 1) | ' a b  c '.rsplit(none, 1) | ' a  b '.split() | ''.split() | ''.split(',') | 'a'.split('') | 'a,b,c'.split(',', 0) | 'a,b,c'.split(',', -1) | 'aXbXc'.split('X')[-1] | 'a b c'.split(' ')[1] | ' a b '.split(none, 0) | ' a b '.rsplit(none, 0) | 'a b c'.rsplit() | 'a--b--c'.rsplit('--') | 'aaa'.rsplit('aa') | 'aaa'.split('aa') | 'a b'.split(sep=' ') | ' a b '.split(' ')
s.startswith('Hello') | s.startswith('x') | s.startswith(('x', 'H')) | s.startswith('W', 7) | s.endswith('World') | s.endswith(('x', 'd')) | s.endswith('lo', 0, 5) | s.startswith('') | s.startswith(1) | s.startswith('H', 0, 1) | s.endswith('')
s.upper() | s.lower() | s.title() | s.capitalize() | s.swapcase() is defined | u.upper() | u.lower() | u.title() | u.casefold() is string | "they're bill's".title() | 'ﬁx ǆ'.title() | 'ǆ'.capitalize() | 'ΑΣ ΑΣΑ Σ'.lower()
s.replace('l', 'L') | s.replace('l', 'L', 1) | s.replace('', '.') | s.replace('l') | s.replace(1, 2) | s.replace('World', '') | ''.replace('', 'x')
', '.join(words) | ''.join([]) | '-'.join('abc') | ','.join(xs) | ','.join(d) | ','.join(nope) | ','.join(words|map('upper')) | ','.join(5)
s.find('l') | s.find('z') | s.find('l', 4) | s.rfind('l') | s.index('W') | s.index('z') | s.rindex('o') | s.count('l') | s.count('') | u.find('日') | s.find('') | s.find('l', 0, 2) | s.count('l', 4) | s.find('H', -100) | s.find('d', -1) | ''.find('') | s.find('o', 100)
'{} {}'.format(1, 'a') | '{0} {1} {0}'.format('a', 'b') | '{x}'.format(x=1) | '{:>5}|{:<5}|{:^5}|'.format('a', 'b', 'c') | '{:05d}'.format(42) | '{:.2f}'.format(3.14159) | '{:,}'.format(1234567) | '{:x}'.format(255) | '{!r}'.format('a') | '{{}}'.format() | '{0.name}'.format(people[0]) | '{0[name]}'.format(people[0]) | '{}'.format() | '{a[b]}'.format(a={'b': 5}) | '{:*^9}'.format('mid') | '{:+d} {: d}'.format(1, 2) | '{:%}'.format(0.25) | '{:e}'.format(1234.5) | '{:>{w}}'.format('a', w=4) | '{:.3}'.format('abcdef') | '{:10.3f}|'.format(2.5) | '{}'.format([1, 'a']) | '{:d}'.format('x') | '{'.format(1) | '}'.format(1) | '{:s}'.format('x') | '{:#x}'.format(10) | '{:_}'.format(1000) | '{:<08}'.format(5) | '{:08.2f}'.format(-3.14159) | '{:g}'.format(1e10) | '{:.0%}'.format(0.5) | '{}{}'.format(none, true)
lines.splitlines() | lines.splitlines(true) | ''.splitlines() | 'a\\n'.splitlines() | '\\n'.splitlines() | 'a\\r\\n\\rb\\x0bc\\x1cd\\x85e'.splitlines() | 'a\\r'.splitlines(true) | '\\r\\n\\r\\n'.splitlines()
'abc'.removeprefix('ab') | 'abc'.removeprefix('x') | 'abc'.removesuffix('bc') | 'abc'.removesuffix('') | 'abc'.partition('b') | 'abc'.partition('x') | 'abcbd'.rpartition('b') | 'abc'.rpartition('x') | 'abc'.partition('')
'123'.isdigit() | '12a'.isdigit() | ''.isdigit() | '٣'.isdigit() | '½'.isnumeric() | '12'.isdecimal() | 'abc'.isalpha() | 'ab1'.isalpha() | 'ab1'.isalnum() | '日本'.isalpha() | ' \\t'.isspace() | 'AB'.isupper() | 'ab'.islower() | 'A1'.isupper() | '1'.isupper() | 'abc'.isascii() | 'é'.isascii() | 'x'.center(5) | 'x'.center(4, '*') | 'ab'.center(5, '*') | 'x'.ljust(3) + '|' | 'x'.rjust(3, '.') | '42'.zfill(5) | '-42'.zfill(5) | 'x'.rjust(3, 'ab')
d.items() | d.keys() | d.values() | d.get('a') | d.get('x') | d.get('x', 5) | d.get() | d.items()|list | d.keys()|list | d.copy() | d.pop('a') | d.update({'x': 1}) | d.clear() | d.setdefault('x', 1) | d.get([1]) | d.pop is defined | tricky.items() | tricky.items | tricky['items'] | tricky['get'] | tricky.role | tricky['x y'] | tricky[''] | tricky.keys()|list | d.items()|first | d.values()|sum | d.__class__ | s.__class__ | d['__class__'] is defined | d.get('a', default=1) | d.items() is sequence | d.keys() == {'C': 1, 'a': 2, 'b': 3}.keys()
xs.index(1) | xs.index(9) | xs.count(1) | xs.append(1) | xs.pop() | xs.insert(0, 1) | xs.extend([1]) | xs.sort() | xs.reverse() | xs.copy() | (1, 2, 1).count(1) | (1, 2).index(2) | xs.append is defined | (1, 2).copy() | 2.5.is_integer() | (2.0).is_integer()
range(3)|list | range(1, 4)|list | range(0, 10, 3)|list | range(5, 0, -2)|list | range(0)|list | range(3) | range(1, 5, 2) | range() | range(1, 2, 0) | range('a') | range(200000) | range(1.5) | range(3) == range(0, 3) | range(-3)|list
dict(a=1, b=2) | dict({'x': 1}, y=2) | dict([('a', 1), ('b', 2)]) | dict(xs) | dict(nope) | dict(1) | dict() | namespace(a=1).a | namespace(a=1).b is defined | namespace({'x': 2}).x | namespace(_a=1)
raise_exception('no') | raise_exception(message='no') | raise_exception(1) | raise_exception() | strftime_now('%Y-%m-%d') | strftime_now('%d %b %Y') | strftime_now('%A %B %-d, %Y %H:%M:%S %I %p %j %y %%') | strftime_now('') | strftime_now is defined | strftime_now('%e %a %U %w %F %T %D')
{'a': 1}.a | 'aBc É'.swapcase() | xs['a':]|default('x') | nope[1:] | d.get('a', none) | ('<%s|%r|%5s>'|safe)|format('<x>', '<', '<'|safe) | '%s'|format('<'|safe) | {'a': 1}['a'] | {'a': [1, 2]}.a[1] | [1, 2, 3].1 | 'abc'[1] | (1, (2, 3))[1][0] | {1: 'x'}[1.0] | {true: 'x'}[1] | {none: 1}[none] | {'a': 1, 'a': 2} | {[1]: 2} | {(1, 2): 3}[(1, 2)] | [1, 2,] | (1, 2,) | {'a': 1,} | [[1]][0][0]
1 + | (1 | [1 | {'a' | 1 2 | | upper | n is | n is is odd | * 3 | a.b. | x[ | f( | f(a=1, 2) | f(**d) | range(*[1, 3])|list | dict(**d) | 'abc | ! | n ? 1 | a = 1 | n is odd is even | @ | $x | 1.2.3 | a..b | 5.upper | not | and 1 | if | 'a' if | d.a.b.c | range(1, stop=3)
"""

STATEMENTS = [
    "{% for x in xs %}{{ x }}{% endfor %}",
    "{% for x in xs %}{{ loop.index }}{{ loop.index0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ loop.revindex }}{{ loop.revindex0 }};{% endfor %}",
    "{% for x in xs %}{{ loop.previtem }}<{{ x }}>{{ loop.nextitem }};{% endfor %}",
    "{% for x in xs %}{{ loop.previtem is defined }}{{ loop.nextitem is undefined }};{% endfor %}",
    "{% for x in [] %}{{ x }}{% else %}none{% endfor %}",
    "{% for x in xs if x > 1 %}{{ x }}{{ loop.length }}{{ loop.last }}{% else %}none{% endfor %}",
    "{% for x in xs if x > 9 %}{{ x }}{% else %}none{% endfor %}",
    "{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}",
    "{% for k, v in d|items %}{{ k }}={{ v }};{% endfor %}",
    "{% for k, v in d|dictsort %}{{ k }}={{ v }};{% endfor %}",
    "{% for k in d %}{{ k }}{% endfor %}",
    "{% for c in s %}{{ c }}.{% endfor %}",
    "{% for a, b in [(1, 2), [3, 4], 'xy'] %}{{ a }}{{ b }}{% endfor %}",
    "{% for a, (b, c) in [(1, (2, 3))] %}{{ a }}{{ b }}{{ c }}{% endfor %}",
    "{% for a, b in [(1, 2, 3)] %}{{ a }}{% endfor %}",
    "{% for a, b in xs %}{{ a }}{% endfor %}",
    "{% for x in n %}{{ x }}{% endfor %}",
    "{% for x in nope %}{{ x }}{% else %}undefined{% endfor %}",
    "{% for x in none %}{{ x }}{% endfor %}",
    "{% for x in 1, 2, 3 %}{{ x }}{% endfor %}",
    "{% for x in xs %}{% if x == 1 %}{% break %}{% endif %}{{ x }}{% endfor %}",
    "{% for x in xs %}{% if x == 1 %}{% continue %}{% endif %}{{ x }}{% endfor %}",
    "{% break %}",
    "{% for x in xs %}{% for y in xs %}{% if y == x %}{% break %}{% endif %}{{ x }}{{ y }} {% endfor %}{% endfor %}",
    "{% for x in xs %}{{ loop.cycle('a', 'b') }}{% endfor %}",
    "{% for x in [1, 1, 2, 2, 1] %}{{ loop.changed(x) }}{% endfor %}",
    "{% for x in xs %}{% for y in xs %}{{ loop.index }}{% endfor %}{{ loop.index }} {% endfor %}",
    "{% for x in xs %}{% set outer = loop %}{% for y in 'ab' %}{{ outer.index }}{{ loop.index }} {% endfor %}{% endfor %}",
    "{% for x in xs recursive %}{{ x }}{{ loop.depth }}{% endfor %}",
    "{% for x in nested recursive %}[{% if x is sequence %}{{ loop(x) }}{% else %}{{ x }}@{{ loop.depth0 }}{% endif %}]{% endfor %}",
    "{% for x in xs %}{{ loop(x) }}{% endfor %}",
    "{{ loop }}", "{{ loop.index }}",
    "{% for x in xs %}{% endfor %}{{ x }}",
    "{% set x = 1 %}{% for y in xs %}{% set x = y %}{{ x }}{% endfor %}{{ x }}",
    "{% set x = 1 %}{% for y in xs %}{{ x }}{% set x = y %}{% endfor %}{{ x }}",
    "{% set x = 1 %}{% if true %}{% set x = 2 %}{% endif %}{{ x }}",
    "{% set ns = namespace(x=1) %}{% for y in xs %}{% set ns.x = ns.x + y %}{% endfor %}{{ ns.x }}",
    "{% set ns = namespace() %}{% set ns.a = 1 %}{% set ns.b = ns.a + 1 %}{{ ns.a }}{{ ns.b }}{{ ns.c }}",
    "{% set ns = namespace(found=false) %}{% for x in xs %}{% if x == 1 %}{% set ns.found = true %}{% endif %}{% endfor %}{{ ns.found }}",
    "{% set d.x = 1 %}", "{% set nope.x = 1 %}", "{% set ns = namespace() %}{% set ns._x = 1 %}",
    "{% set a, b = 1, 2 %}{{ a }}{{ b }}", "{% set a, b = (1, 2, 3) %}", "{% set a = 1, 2 %}{{ a }}", "{% set (a, b) = xs[:2] %}{{ a }}{{ b }}",
    "{% set x %}block {{ n }}{% endset %}[{{ x }}]", "{% set x | upper %}block{% endset %}[{{ x }}]",
    "{% set x | trim | replace('b', 'c') %}  ab {% endset %}[{{ x }}]", "{% set ns = namespace() %}{% set ns.x %}in{% endset %}{{ ns.x }}",
    "{% set x %}{% set y = 1 %}{{ y }}{% endset %}{{ x }}{{ y }}", "{% set true = 1 %}", "{% set 1 = x %}", "{% set x.y.z = 1 %}", "{% set x = %}",
    "{% if n %}a{% endif %}", "{% if z %}a{% else %}b{% endif %}", "{% if z %}a{% elif n %}b{% else %}c{% endif %}", "{% if z %}a{% elif z %}b{% elif z %}c{% endif %}",
    "{% if nope %}a{% else %}b{% endif %}", "{% if [] %}a{% else %}b{% endif %}", "{% if '' %}a{% else %}b{% endif %}", "{% if none %}a{% else %}b{% endif %}",
    "{% if xs|map('string') %}a{% else %}b{% endif %}", "{% if 0.0 %}a{% else %}b{% endif %}", "{% if range(0) %}a{% else %}b{% endif %}", "{% if namespace() %}a{% endif %}",
    "{% if n: %}colon{% endif %}", "{% if n %}", "{% endif %}", "{% if %}{% endif %}", "{% else %}", "{% if n %}{% else %}{% else %}{% endif %}",
    "{% macro m(a, b=2) %}{{ a }}-{{ b }}{% endmacro %}{{ m(1) }} {{ m(1, 3) }} {{ m(b=4, a=5) }} {{ m() }}",
    "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}", "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(b=1) }}", "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, a=2) }}",
    "{% macro m() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, x=3) }}", "{% macro m(a, b=a) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}",
    "{% macro m(a='x' ~ n) %}{{ a }}{% endmacro %}{{ m() }}{{ m.name }}{{ m.arguments }}{{ m.catch_kwargs }}{{ m.caller }}",
    "{% macro m(x) %}{% if x > 0 %}{{ x }}{{ m(x - 1) }}{% endif %}{% endmacro %}{{ m(5) }}", "{% macro m() %}{% for i in range(2) %}{{ i }}{% endfor %}{% endmacro %}{{ m()|upper }}[{{ m() }}]",
    "{% set x = 1 %}{% macro m() %}{{ x }}{% endmacro %}{% set x = 2 %}{{ m() }}", "{% for i in xs %}{% macro m() %}{{ i }}{% endmacro %}{{ m() }}{% endfor %}",
    "{% macro m() %}{{ x }}{% endmacro %}{% for x in xs %}{{ m() }}{% endfor %}", "{% macro m() %}{% set y = 1 %}{{ y }}{% endmacro %}{{ m() }}{{ y }}", "{% macro m(a=1, b) %}{% endmacro %}",
    "{% macro m(x) %}<{{ caller() }}>{{ x }}{% endmacro %}{% call m(1) %}in {{ n }}{% endcall %}",
    "{% macro m() %}{{ caller(1, b=2) }}{% endmacro %}{% call(a, b) m() %}{{ a }}{{ b }}{% endcall %}", "{% macro m() %}x{% endmacro %}{% call m() %}y{% endcall %}",
    "{% macro m() %}{{ caller() }}{% endmacro %}{{ m() }}", "{% macro m() %}{{ caller is defined }}{% endmacro %}{{ m() }}", "{% call 5 %}{% endcall %}", "{% macro m %}{% endmacro %}",
    "{% filter upper %}hello {{ n }}{% endfilter %}", "{% filter trim | replace('a', 'b') %} a {% endfilter %}|", "{% filter nope %}x{% endfilter %}", "{% filter indent(2) %}a\nb{% endfilter %}",
    "{% with a = 1, b = 2 %}{{ a }}{{ b }}{% endwith %}{{ a }}", "{% with %}{% set q = 1 %}{{ q }}{% endwith %}{{ q }}", "{% with a = n %}{% with b = a %}{{ b }}{% endwith %}{% endwith %}",
    "{% generation %}x{{ n }}{% endgeneration %}", "a {% generation %}\nx\n{% endgeneration %}\nb", "{% generation %}{% set g = 1 %}{{ g }}{% endgeneration %}{{ g }}", "{% for x in xs %}{% generation %}{% break %}{% endgeneration %}{% endfor %}",
    "{% raw %}{{ n }}{% if %}{% endraw %}", "{% raw -%}  {{ x }}  {%- endraw %}|", "{%- raw %}\n{{ x }}\n{% endraw -%}\n|", "a\n  {% raw %}\n b {% endraw %}\nc", "{% raw %}", "{% raw %}{% raw %}{% endraw %}", "a {%- raw -%} b {%- endraw -%} c",
    "{# comment #}x", "a{# c #}b", "a\n{# c #}\nb", "a\n  {# c #}\nb", "a {#- c -#} b", "{#", "{# {{ n }} {% if %} #}", "a{#- -#}b", "  {#+ c +#}\nb", "{#}#}x",
    "a\n{% if n %}\nb\n{% endif %}\nc\n", "a\n  {% if n %}\n  b\n  {% endif %}\nc\n\n", "a\n\t {% if n %} b{% endif %}\nc", "a {% if n %}\nb {% endif %}\nc", "{% if n %}\n\nx{% endif %}",
    "a\n  {%- if n -%}\n  b\n  {%- endif -%}\nc", "a\n  {%+ if n %}b{% endif +%}\nc", "  {% if n %}x{% endif %}", "  {{ n }}  ", "a\n  {{- n -}}  \nb", "a {{- n }} b", "a {{ n -}} b", "\n\n", "a\n", "a\n\n", "a\r\nb\rc\r\n", "\u3000{%- if n %}x{% endif %}",
    "{% if n -%} x {%- endif %} y", "{%if n%}x{%endif%}", "{{n}}{{-n}}{{n-}}", "{{ '}}' }}{{ '%}' }}", "{{ {'a': {'b': 1}}['a']['b'] }}", "{{ {'a': {}} }}", "{% set x = {'a': '%}'} %}{{ x.a }}", "{{", "{%", "{{ n", "{% if n", "{{ n }", "} }} %} #}", "{ {", "{{ n }}}", "{{{ n }}}", "{{ {} }}", "{{ [1)] }}", "{{ (1] }}", "{{ 1) }}",
    "{% nope %}", "{% include 'x' %}", "{% extends 'x' %}", "{% do xs.append(1) %}", "{% %}", "{% 5 %}", "{% for %}{% endfor %}", "{% for x %}{% endfor %}", "{% for x in %}{% endfor %}", "{% endfor %}", "{% for x in xs %}{% endif %}", "{% for 5 in xs %}{% endfor %}", "{% for x in xs %}", "{{ }}", "{% set %}", "{% for x in xs %}{% else %}",
    "{% set it = xs|map('string') %}{% for x in it %}{{ x }}{% endfor %}|{% for x in it %}{{ x }}{% endfor %}", "{% set it = xs|select('odd') %}{{ it|list }}{{ it|list }}", "{% set it = xs|reverse %}{{ it|first }}{{ it|list }}",
    "{% set ns = namespace(last=0) %}{% for x in [1, 2, 2, 3] if x != ns.last %}{{ x }}{% set ns.last = x %}{% endfor %}", "{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}{{ c.next() }}{{ c.current }}{{ c.reset() }}{{ c.current }}", "{% set j = joiner('; ') %}{% for x in xs %}{{ j() }}{{ x }}{% endfor %}",
    "{% for g in people|groupby('age') %}{{ g.grouper }}:{% for p in g.list %}{{ p.name }} {% endfor %}{% endfor %}", "{% for age, ps in people|groupby('age') %}{{ age }}{{ ps|length }};{% endfor %}", "{% for row in range(5)|batch(2) %}{{ row }}{% endfor %}",
    "{% for x in xs %}{% if loop.last %}{{ x }}{% elif loop.first %}first {% endif %}{% endfor %}", "{{ xs|map('upper')|join }}{{ 'x' if false }}", "{% for m in people[::-1] %}{% set i = (people|length - 1) - loop.index0 %}{{ i }}{{ m.name }} {% endfor %}",
    "{% for x in xs %}{% set y = x %}{% endfor %}{{ y is defined }}", "{% for loop in xs %}{{ loop }}{% endfor %}", "{% set loop = 5 %}{{ loop }}{% for x in [1] %}{{ loop.index }}{% endfor %}", "{% if n is not defined %}a{% elif nope is not defined and n is defined %}b{% endif %}",
    "{% set messages = xs[1:] %}{% for x in messages %}{{ x }}{% endfor %}", "{{ range }}" if False else "{{ range is callable }}", "{{ s.format }}" if False else "{{ s.upper is defined }}", "{{ n }}\n{{ n }}\n", "{% if n %}{{ n }}{% endif %}\n{% if n %}{{ n }}{% endif %}\n\n", "\t{% set x = 1 %}\n{{ x }}", "x{% set x = 1 %}\ny", "x\n   {% set x = 1 -%}   \n  y",
]


def cases():
    for line in EXPRESSIONS.strip("\n").replace("\\\n", "\\@@").split("\n"):
        for expression in line.replace("\\@@", "\\\n").replace("\\\\", "\\").split(" | "):
            yield "{{ " + expression.strip() + " }}"
    yield from STATEMENTS


def main():
    results = []
    seen = set()
    for template in cases():
        if template in seen:
            continue
        seen.add(template)
        kind, text = environment.outcome(template, VARIABLES)
        if " object at 0x" in text or "<function" in text or "<built-in" in text or "<Macro" in text:
            continue
        results.append([template, text if kind == "text" else None])
    lines = ",\n".join(json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in results)
    variables = json.dumps(VARIABLES, ensure_ascii=False)
    path = pathlib.Path(__file__).parent / "chat-language.json"
    path.write_text('{"variables":%s,\n"cases":[\n%s\n]}\n' % (variables, lines))
    print(len(results), "cases,", sum(case[1] is None for case in results), "of which fail")


main()
