// Orders the results of the search: pages for users first, then decisions, measurements and changes.
var Scorer = {
  score: ([name, , , , score]) => score - (/^(docs\/decisions|docs\/supply-chain|bench|training|CHANGELOG)/.test(name) ? 20 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
