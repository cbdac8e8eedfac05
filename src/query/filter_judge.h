/* What a judgement is made of.  Private to filter.c and filter_step.c. */
#ifndef CATENA_QUERY_FILTER_JUDGE_H
#define CATENA_QUERY_FILTER_JUDGE_H

#include "import/open.h"
#include "query/filter_program.h"
#include "query/search.h"
#include "query/texts.h"

/* Verdicts about texts that are kept once and that many steps have, by their number. */
struct filter_memo {
	unsigned char
		*of; /* enum verdict_of_filter; 0 (NO) and YES are + 1, 0: not yet */
	size_t count;
};

struct judging {
	struct trace *trace;
	const struct filter *filter;
	struct filter_memo memos[FILTER_TERMS];
	struct search *searches[FILTER_TERMS]; /* by term, or NULL */
	size_t order[FILTER_TERMS];            /* terms with a search, as they run, */
	size_t search_count;
	size_t begun;                      /* of them */
	struct texts *texts[FILTER_TERMS]; /* by term: for one side */
	bool arranged;                     /* some term asks for what is */
	uint32_t *positions; /* by step, where steps are not in their order; or NULL */
	size_t position_count;
	bool costly;       /* the step that is judged was read */
	uint64_t patience; /* microseconds left for expressions that run long, beside
			      those of searches; */
	size_t gave_up;    /* texts in which they did */
	struct opening *opening; /* of the long step that is judged next */
	unsigned char *passes;   /* a bit by step */
	size_t byte_count;
	uint64_t last_end; /* of the step that was judged last */
	uint32_t generation, arrangement, sums;
	struct judged state;
	/* a slice has nothing to do while the model is so */
	struct idle {
		bool on, settled;
		size_t count;
		uint64_t end;
		uint32_t generation, arrangement, sums;
	} idle;
};

#define FILTER_PATIENCE 500000u

bool filter_term_text(struct judging *j, const struct filter_term *t, struct str text);
bool filter_term_number(const struct filter_term *t, double number);

/* What a search passes over the bytes for: the term's own text, or one that the step
 * must have for the term to hold. */
bool filter_term_searches(struct judging *j, const struct filter_term *t);

/* Of what stands in the model; UNKNOWN: not that. */
enum verdict_of_filter filter_fact(struct judging *j, size_t term, const struct step *s,
	uint32_t step, bool arranged);
/* The same of the step's name. */
enum verdict_of_filter filter_name(struct judging *j, size_t term, uint32_t step);
/* Of an opened step. */
enum verdict_of_filter filter_opened(
	struct judging *j, size_t term, struct opened *o, uint32_t step);

#endif
